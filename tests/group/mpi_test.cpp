// Runs over several processes that mpirun starts, and trials that run apart: the same results as
// one process gives.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

using Json = nlohmann::ordered_json;

struct Place {
  TemporaryFolder folder;
  std::string program = std::getenv("CHAINMAIL") != nullptr ? std::getenv("CHAINMAIL") : "";

  // Started by mpirun where ranks > 0. The result without what may differ.
  Json solve(const std::string& what, int ranks) const {
    const std::string to = folder.file("result.json");
    const std::string launcher =
        ranks == 0 ? ""
                   : "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun "
                     "--oversubscribe -n " +
                         std::to_string(ranks) + " ";
    const Outcome outcome = run("cd '" + folder.path.string() + "' && " + launcher + "'" + program +
                                "' solve -q --threads 1 " + what + " --json result.json");
    INFO(what << "\n" << outcome.text);
    REQUIRE(outcome.code == 0);
    Json json = Json::parse(read_file(to));
    members = json.contains("members") ? json["members"].size() : 0;
    for (const char* key :
         {"seconds", "tune_seconds", "updates_per_ns", "peak_memory_kib", "members"}) {
      json.erase(key);
    }
    return json;
  }
  Outcome command(const std::string& what) const {
    return run("cd '" + folder.path.string() + "' && '" + program + "' " + what);
  }
  mutable std::size_t members = 0;
};

}  // namespace

TEST_CASE("two and three ranks give what one process gives", "[group][mpi]") {
  const Place place;
  REQUIRE(place.command("generate ea3d -n 5 -o p.json").code == 0);
  REQUIRE(place.command("generate wishart -n 5 --integer -o w.json").code == 0);
  for (const std::string what : {"p.json --sweeps 200 --tiles 4", "p.json --sweeps 60 --trials 5",
                                 "w.json --sweeps 200 --tiles 3 --device hls:5x2"}) {
    const Json one = place.solve(what, 0);
    for (int ranks : {2, 3}) {
      INFO(what << " on " << ranks);
      CHECK(place.solve(what, ranks) == one);
      CHECK(place.members == static_cast<std::size_t>(ranks));
    }
  }
  CHECK(place.solve("p.json --sweeps 200 --tiles 4 --device cpu,cpu", 0) ==
        place.solve("p.json --sweeps 200 --tiles 4", 0));
}

TEST_CASE("a run goes on with another number of ranks", "[group][mpi]") {
  const Place place;
  REQUIRE(place.command("generate sk -n 60 -o p.json").code == 0);
  const std::string run = "p.json --sweeps 3000 --tiles 4 --target -1e9";
  const Json whole = place.solve(run, 0);
  const std::string saved = run + " --checkpoint c";
  place.solve(saved + " --time-limit 0.01", 2);
  CHECK(place.solve(saved, 3) == whole);
}

TEST_CASE("wrong usage and bad input end all ranks with one message", "[group][mpi]") {
  const Place place;
  const auto launch = [&](const std::string& what) {
    return run("cd '" + place.folder.path.string() +
               "' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun "
               "--oversubscribe -n 3 '" +
               place.program + "' " + what + " 2>&1 | grep -c '^chainmail:'");
  };
  CHECK(launch("solve nowhere.json").text == "1\n");
  CHECK(launch("solve").text == "1\n");
}

TEST_CASE("trials that ran apart are gathered", "[group]") {
  const Place place;
  REQUIRE(place.command("generate sk -n 50 -o p.json").code == 0);
  const std::string run = "p.json --sweeps 40 --seed 5 --trials ";
  const Json whole = place.solve(run + "4", 0);
  for (const std::string part : {"3", "1", "4", "2"}) {
    place.solve(run + part + "/4", 0);
    REQUIRE(place.command("check p.json result.json").code == 0);
    write_file(place.folder.file("r" + part + ".json"),
               read_file(place.folder.file("result.json")));
  }
  const Outcome outcome = place.command("merge r3.json r1.json r4.json r2.json -o all.json");
  INFO(outcome.text);
  REQUIRE(outcome.code == 0);
  const Json all = Json::parse(read_file(place.folder.file("all.json")));
  for (const char* key : {"energy", "solution", "per_trial", "trials", "updates", "round_trips",
                          "quenches", "feasible", "best_found_at_sweep", "first_trial"}) {
    INFO(key);
    CHECK(all[key] == whole[key]);
  }
  CHECK(all["mean_answer_energy"].get<double>() ==
        Approx(whole["mean_answer_energy"].get<double>()));

  CHECK_THAT(place.command("merge r1.json r1.json").text,
             Catch::Contains("trial 1 is in r1.json too"));
  CHECK_THAT(place.command("merge r1.json p.json").text, Catch::Contains("p.json: not a result"));
  CHECK_THAT(place.command("merge").text, Catch::Contains("missing FILE"));
  place.solve("p.json --sweeps 40 --seed 6 --trials 2/4", 0);
  CHECK_THAT(place.command("merge r1.json result.json").text,
             Catch::Contains("another run than r1.json") && Catch::Contains("\"seed\""));
  for (const std::string wrong : {"0", "5/4", "1/", "x", "1/0", "2/3/4", "-1"}) {
    CHECK(place.command("solve p.json --trials " + wrong).code == 2);
  }
}
