// `reproduce` as a user runs it: figures, shards that are collected later, summaries.
#include <catch2/catch.hpp>

#include "workplace.hpp"

using namespace chainmail::test;
using Catch::Contains;

namespace {

const std::string kTiny = " --instances 16 --sweeps 8000 --threads 2 --reference none --quiet ";

}  // namespace

TEST_CASE("reproduce runs a figure, and its summary runs nothing") {
  const Workplace place;
  const auto run = place.run("reproduce fig2 --out figures" + kTiny);
  INFO(run.output << run.errors);
  REQUIRE(run.code == 0);
  CHECK(run.errors.empty());
  CHECK_THAT(run.output, Contains("| 8000 |") &&
                             Contains("not judged: fig2: P = 6, 8: KL inside") &&
                             Contains("nothing published to compare with") &&
                             !Contains("missing") && Contains("\nfig2: "));
  for (const char* file : {"fig2c.csv", "fig2c.svg", "fig2c_columns.svg", "settings.txt"})
    CHECK(place.has(std::string("figures/fig2/") + file));

  std::filesystem::remove(place.path("figures/fig2/records/swap-chain000.csv"));
  const auto summary = place.run("reproduce summary --out figures" + kTiny);
  CHECK(summary.code == 0);
  CHECK_THAT(summary.output, Catch::StartsWith("### fig2\n\n| sweeps |") &&
                                 Contains("- not judged: fig2: ") &&
                                 Contains("- 1 records are missing\n"));
  CHECK_FALSE(place.has("figures/fig2/records/swap-chain000.csv"));
  CHECK_THAT(place.run("reproduce summary --out elsewhere").output, Catch::Equals(""));
}

TEST_CASE("reproduce by shards gives the figure of one run") {
  const Workplace place;
  const auto first = place.run("reproduce fig2 --shard 1/2 --out parts" + kTiny);
  CHECK(first.code == 0);
  CHECK_THAT(first.output, Contains("fig2: 2 records are missing; run the same command again"));
  const auto second = place.run("reproduce fig2 --shard 2/2 --out parts" + kTiny);
  CHECK_THAT(second.output, !Contains("missing"));
  REQUIRE(place.run("reproduce fig2 --out whole" + kTiny).code == 0);
  CHECK(place.read("parts/fig2/fig2c.csv") == place.read("whole/fig2/fig2c.csv"));
}

TEST_CASE("reproduce all stops at its time limit and says what is missing") {
  const Workplace place;
  const auto outcome =
      place.run("reproduce all --time-limit 1e-9 --instances 1 --sweeps 1600 --sizes 8 --out f");
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.code == 0);
  for (const char* figure : {"fig1: ", "fig2: ", "fig3: ", "mimo: "}) {
    const std::size_t at = outcome.output.find(figure);
    REQUIRE(at != std::string::npos);
    CHECK_THAT(outcome.output.substr(at, outcome.output.find('\n', at) - at),
               Contains(" records are missing; run the same command again to continue"));
  }
}

TEST_CASE("reproduce refuses what it does not know") {
  const Workplace place;
  check_refused(place.run("reproduce fig9"), 2, "unknown experiment 'fig9'; expected fig1, fig2");
  for (const char* shard : {"3/2", "0/2", "1", "1/", "a/2", "1/2x"})
    check_refused(place.run(std::string("reproduce fig2 --shard ") + shard), 2,
                  std::string("--shard: expected i/n with 1 <= i <= n, not '") + shard + "'");
  REQUIRE(place.run("reproduce fig2 --out f" + kTiny).code == 0);
  check_refused(
      place.run("reproduce fig2 --seed 2 --out f" + kTiny), 1,
      "f/fig2/settings.txt: the records in this folder were made with different settings");
  CHECK(place.run("reproduce --help").code == 0);
}
