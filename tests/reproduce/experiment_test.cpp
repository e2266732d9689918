// Experiments end to end, small: files that appear, resumed and sharded runs that give the same
// bytes, and records that are never half done.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "../temporary_folder.hpp"
#include "reproduce/outcome.hpp"
#include "reproduce/table.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

using namespace chainmail;
using namespace chainmail::reproduce;
namespace fs = std::filesystem;

namespace {

struct Folder : TemporaryFolder {
  std::string read(const std::string& name) const { return read_file(file(name)); }
  bool has(const std::string& name) const { return fs::exists(path / name); }
};

const std::atomic<bool> kGoOn{false};

ExperimentOptions small_fig2(const Folder& folder) {
  ExperimentOptions options;
  options.out = folder.path.string();
  options.instances = 24;
  options.sweeps = 4000;
  options.threads = 2;
  return options;
}

ExperimentOptions small_fig3(const Folder& folder) {
  ExperimentOptions options;
  options.out = folder.path.string();
  options.instances = 3;
  options.sizes = {8, 10};
  options.sweeps = 1600;
  options.threads = 2;
  return options;
}

}  // namespace

TEST_CASE("tables: round trip, and messages with file and line") {
  Table table({"a", "b"});
  table.add({"x", "1.5"});
  table.add({"y", ""});
  const Table again = Table::parse(table.csv(), "t.csv");
  CHECK(again.csv() == table.csv());
  CHECK(again.number(0, "b") == 1.5);
  CHECK_FALSE(again.optional_number(1, "b"));
  CHECK_THROWS_WITH(again.number(0, "a"), Catch::Contains("t.csv:2: a: expected a number"));
  CHECK_THROWS_WITH(again.number(0, "c"), Catch::Contains("expected a column 'c'"));
  CHECK_THROWS_WITH(Table::parse("a,b\n1\n", "t.csv"), Catch::Contains("t.csv:2:"));
  CHECK_THROWS_AS(Table::parse("", "t.csv"), InputError);
}

TEST_CASE("tasks: kept records are not made again, a stop leaves none behind, failures surface") {
  const Folder folder;
  ExperimentOptions options;
  options.out = folder.path.string();
  options.threads = 2;
  std::atomic<bool> stop{false};
  std::atomic<int> made{0};
  const auto task = [&](const std::string& key, std::uint64_t lane) {
    return Task{key, lane, [&made] { return std::to_string(++made); }};
  };
  Experiment experiment("x", options, "settings\n", stop, {});
  experiment.run({task("a", 0), task("b", 1)});
  CHECK(made == 2);
  experiment.run({task("a", 0), task("b", 1), task("deep/c", 2)});
  CHECK(made == 3);
  CHECK(experiment.record("deep/c") == "3");

  // The stop comes while the task runs: what it made is incomplete.
  experiment.run({{"d", 0, [&] {
                     stop = true;
                     return std::string("half");
                   }}});
  CHECK_FALSE(experiment.record("d"));
  stop = false;
  CHECK_THROWS_WITH(experiment.run({{"e", 0, []() -> std::string { throw InputError("no"); }}}),
                    "no");
  CHECK_FALSE(experiment.record("e"));

  options.shard = 2;
  options.shards = 2;
  Experiment second("x", options, "settings\n", stop, {});
  second.run({task("even", 0), task("odd", 1)});
  CHECK_FALSE(second.record("even"));
  CHECK(second.record("odd"));
  CHECK_THROWS_WITH(Experiment("x", options, "other\n", stop, {}),
                    Catch::Contains("different settings"));
  CHECK(doubling(50, 400) == std::vector<std::uint64_t>{50, 100, 200, 400});
}

TEST_CASE("fig2: shards and resumed runs give the bytes of one run") {
  const Folder whole, parts;
  const Outcome outcome = reproduce_fig2(small_fig2(whole), kGoOn, {});
  CHECK(outcome.missing == 0);
  CHECK(whole.has("fig2/fig2c.svg"));
  const Table table = Table::parse(whole.read("fig2/fig2c.csv"), "fig2c.csv");
  CHECK(table.rows() == 2 * 4 * 4);  // modes, penalties, 500 to 4,000 sweeps
  for (std::size_t row = 0; row < table.rows(); ++row) {
    CHECK(table.number(row, "ci_low") <= table.number(row, "kl"));
    CHECK(table.number(row, "chains") == 24);
  }

  ExperimentOptions options = small_fig2(parts);
  options.threads = 1;
  options.shards = 2;
  options.shard = 1;
  CHECK(reproduce_fig2(options, kGoOn, {}).missing == 2);  // lane 1 in both modes
  options.shard = 2;
  CHECK(reproduce_fig2(options, kGoOn, {}).missing == 0);
  CHECK(parts.read("fig2/fig2c.csv") == whole.read("fig2/fig2c.csv"));
  CHECK(parts.read("fig2/fig2c.svg") == whole.read("fig2/fig2c.svg"));

  // One record lost: made again, the same.
  fs::remove(parts.path / "fig2/records/swap-chain008.csv");
  options.run = false;
  CHECK(reproduce_fig2(options, kGoOn, {}).missing == 1);
  options.run = true;
  options.shard = options.shards = 1;
  CHECK(reproduce_fig2(options, kGoOn, {}).missing == 0);
  CHECK(parts.read("fig2/fig2c.csv") == whole.read("fig2/fig2c.csv"));
}

TEST_CASE("fig3: a tiny run has every method, and shards give the same tables") {
  const Folder whole, parts;
  const Outcome outcome = reproduce_fig3(small_fig3(whole), kGoOn, {});
  CHECK(outcome.missing == 0);
  CHECK(outcome.targets.size() >= 7);
  for (const char* file : {"fig3_residual.csv", "fig3_scan.csv", "fig3_collapse.csv",
                           "fig3_comparison.csv", "fig3_standard.svg", "fig3_methods_n10.svg"}) {
    CHECK(whole.has(std::string("fig3/") + file));
  }
  // Ten spins are solved by every method, and no state lies below the planted optimum.
  const Table table = Table::parse(whole.read("fig3/fig3_residual.csv"), "fig3_residual.csv");
  std::size_t last = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto best = table.optional_number(row, "best");
    if (best) CHECK(*best >= 0.0);
    if (table.text(row, "sweeps") != "1600") continue;
    ++last;
    REQUIRE(best);
    CHECK(*best < 1e-9);
  }
  CHECK(last >= 10);

  ExperimentOptions options = small_fig3(parts);
  options.shards = 3;
  for (options.shard = 3; options.shard >= 1; --options.shard) {
    const Outcome part = reproduce_fig3(options, kGoOn, {});
    CHECK((part.missing > 0) == (options.shard > 1));
  }
  for (const char* file : {"fig3/fig3_residual.csv", "fig3/fig3_scan.csv",
                           "fig3/fig3_comparison.csv", "fig3/fig3_collapse.csv"}) {
    CHECK(parts.read(file) == whole.read(file));
  }
}

TEST_CASE("fig1 and mimo: tiny runs, gathered again without running") {
  const Folder folder;
  ExperimentOptions options;
  options.out = folder.path.string();
  options.instances = 2;
  options.sweeps = 400;
  CHECK(reproduce_fig1(options, kGoOn, {}).missing == 0);
  CHECK(folder.has("fig1/fig1_energy.svg"));
  CHECK(folder.has("fig1/fig1_map_accept_penalty.svg"));
  options.sweeps = 50;
  const Outcome first = reproduce_mimo(options, kGoOn, {});
  CHECK(first.missing == 0);
  const std::string csv = folder.read("mimo/mimo.csv");
  const Table table = Table::parse(csv, "mimo.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    CHECK(table.number(row, "ber_low") <= table.number(row, "ber"));
    CHECK(table.number(row, "bits") == 2 * table.number(row, "antennas"));
    if (table.text(row, "detector") == "ml") CHECK(table.number(row, "likely") == 1.0);
  }
  options.run = false;
  CHECK(reproduce_mimo(options, kGoOn, {}).markdown == first.markdown);
  CHECK(folder.read("mimo/mimo.csv") == csv);
}

// Single moves miss about 1.5 % of the channels. Channel k is the same at every SNR but for its
// noise, so in the worst case the misses are too: four of 20 would happen once in 5,000 times.
TEST_CASE("mimo: fifty sweeps of 54 replicas find the most likely symbols of 16 antennas") {
  const Folder folder;
  ExperimentOptions options;
  options.out = folder.path.string();
  options.seed = 2;
  options.instances = 20;
  options.sweeps = 50;
  CHECK(reproduce_mimo(options, kGoOn, {}).missing == 0);
  const Table table = Table::parse(folder.read("mimo/mimo.csv"), "mimo.csv");
  std::map<std::string, double> found;  // of 20 channels at 6 SNRs
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.number(row, "antennas") != 16 || table.number(row, "sweeps") != 50) continue;
    found[table.text(row, "detector")] += 20.0 * table.number(row, "likely");
  }
  CHECK(found["2dpt"] > 6 * 17 - 0.5);
  CHECK(found["chain"] > 6 * 20 - 0.5);
}
