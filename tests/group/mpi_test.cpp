// Runs over several processes that mpirun starts, and trials run separately: the same results as
// from one process.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
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
    return launched(what, ranks == 0 ? "" : "mpirun --oversubscribe -n " + std::to_string(ranks));
  }
  Json launched(const std::string& what, const std::string& launcher) const {
    // MPI has memory left at the end, which is not our leak.
    const std::string keeps_its_memory =
        launcher.empty() ? "" : "export ASAN_OPTIONS=detect_leaks=0 && ";
    const std::string to = folder.file("result.json");
    std::filesystem::remove(to);
    const std::string command = keeps_its_memory + launcher + " '" + program +
                                "' solve -q --threads 1 " + what + " --json result.json";
    Outcome outcome = together(command);
    // Open MPI 5.0's mpirun itself crashes once in a hundred runs, after its ranks have ended. It
    // reports a rank's crash, which is not retried.
    if (!launcher.empty() && outcome.code >= 128 && !told_of_a_rank(outcome.text)) {
      WARN("mpirun crashed, code " << outcome.code << ", and is run again\n" << outcome.text);
      std::filesystem::remove(to);
      outcome = together(command);
    }
    INFO(what << "\n" << outcome.text);
    REQUIRE(outcome.code == 0);
    Json json = Json::parse(read_file(to));
    stopped_by = json["stopped_by"];
    members = json.contains("members") ? json["members"].size() : 0;
    for (const char* key :
         {"seconds", "tune_seconds", "updates_per_ns", "peak_memory_kib", "members"}) {
      json.erase(key);
    }
    return json;
  }
  static bool told_of_a_rank(const std::string& text) {
    return text.find("exited on signal") != std::string::npos ||
           text.find("chainmail:") != std::string::npos;
  }
  Outcome command(const std::string& what) const {
    return run("cd '" + folder.path.string() + "' && '" + program + "' " + what);
  }
  // A kernel's problem, a lattice and a constrained model.
  void make_problems() const {
    REQUIRE(command("generate ea3d -n 5 -o p.json").code == 0);
    REQUIRE(command("generate wishart -n 5 --integer -o w.json").code == 0);
    REQUIRE(command("generate qkp -n 40 -o m.lp").code == 0);
  }
  // With what mpirun needs as root, and what both said.
  Outcome together(const std::string& launch) const {
    return run("cd '" + folder.path.string() +
               "' && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 && " +
               launch);
  }
  mutable std::size_t members = 0;
  mutable std::string stopped_by;
};

// Part of a longer run, to be ended by the same on others.
const std::string kLong = "s.json --sweeps 1500 --tiles 4 --target -1e9";

}  // namespace

TEST_CASE("two and three ranks give what one process gives", "[group][mpi]") {
  const Place place;
  place.make_problems();
  // More than one piece for MPI.
  REQUIRE(place.command("generate sk -n 500 -o large.json").code == 0);
  for (const std::string what :
       {"large.json --sweeps 20 --tiles 2", "p.json --sweeps 200 --tiles 4",
        "p.json --sweeps 60 --trials 5", "w.json --sweeps 200 --tiles 3 --device hls:5x2",
        "w.json --sweeps 200 --tiles 3 --device sw_emu:5x2", "m.lp --sweeps 200 --trials 2"}) {
    const Json one = place.solve(what, 0);
    for (int ranks : {2, 3}) {
      INFO(what << " on " << ranks);
      CHECK(place.solve(what, ranks) == one);
      CHECK(place.members == static_cast<std::size_t>(ranks));
    }
  }
  const Json one = place.solve("p.json --sweeps 200 --tiles 4", 0);
  CHECK(place.solve("p.json --sweeps 200 --tiles 4 --device cpu,cpu", 0) == one);
  CHECK(place.solve("p.json --sweeps 200 --tiles 4 --device cpu,cpu,cpu,cpu", 0) == one);
}

TEST_CASE("eight ranks and four members of each kind of device give what one gives",
          "[.][cluster]") {
  const Place place;
  place.make_problems();
  const auto compare = [&](const std::string& what, const std::string& one_process,
                           const std::vector<std::string>& devices) {
    const Json one = place.solve(what + " --device " + one_process, 0);
    for (int ranks : {1, 2, 3, 8}) {
      INFO(what << " on " << ranks << " ranks of " << one_process);
      CHECK(place.solve(fmt::format("{} --device {}", what, one_process), ranks) == one);
      if (ranks > 1) CHECK(place.members == static_cast<std::size_t>(ranks));
    }
    for (const std::string& device : devices) {
      INFO(what << " on " << device);
      CHECK(place.solve(fmt::format("{} --device {}", what, device), 0) == one);
    }
  };
  const std::vector<std::string> cpus{"cpu,cpu", "cpu,cpu,cpu,cpu"};
  compare("p.json --sweeps 400 --tiles 8", "cpu", cpus);
  compare("p.json --sweeps 60 --trials 9", "cpu", cpus);
  compare("m.lp --sweeps 400", "cpu", cpus);
  compare("w.json --sweeps 400 --tiles 8", "hls:5x2", {});
  compare("w.json --sweeps 400 --tiles 8", "sw_emu:5x2",
          {"sw_emu:5x2,sw_emu:5x2", "sw_emu:5x2,sw_emu:5x2,sw_emu:5x2,sw_emu:5x2"});
}

TEST_CASE("runs of eight ranks end on three and on one", "[.][cluster]") {
  const Place place;
  place.make_problems();
  REQUIRE(place.command("generate sk -n 60 -o s.json").code == 0);
  for (const std::string& what :
       {std::string("s.json --sweeps 60000 --tiles 4 --target -1e9"),
        std::string("m.lp --sweeps 6000 --target 1e9"),
        std::string("w.json --no-stop --sweeps 60000 --tiles 4 --device hls:5x2"),
        std::string("w.json --no-stop --sweeps 30000 --tiles 4 --device sw_emu:5x2")}) {
    const Json whole = place.solve(what, 0);
    for (int ranks : {3, 0}) {
      INFO(what << ", then on " << ranks);
      const std::string saved = what + " --checkpoint c" + std::to_string(ranks);
      const std::string file = place.folder.file("c" + std::to_string(ranks));
      // On a busy machine the ladder may not be found in a moment.
      for (double limit = 0.2; limit < 60.0 && !std::filesystem::exists(file); limit *= 2.0) {
        place.solve(saved + " --time-limit " + std::to_string(limit), 8);
      }
      CHECK(place.stopped_by == "time limit");
      REQUIRE(std::filesystem::exists(file));
      CHECK(place.solve(saved, ranks) == whole);
    }
    for (const auto& entry : std::filesystem::directory_iterator(place.folder.path)) {
      if (entry.path().filename().string().front() == 'c') std::filesystem::remove(entry);
    }
  }
}

TEST_CASE("machines that see each other by TCP alone give what one gives", "[.][cluster]") {
  const std::string script = std::filesystem::absolute("tests/group/in_namespaces");
  const Place place;
  place.make_problems();
  for (const std::string what : {"p.json --sweeps 400 --tiles 8", "m.lp --sweeps 400",
                                 "w.json --sweeps 400 --tiles 8 --device hls:5x2"}) {
    const Json one = place.solve(what, 0);
    for (const std::string launch : {"HOSTS=2 ", "HOSTS=3 "}) {
      for (const std::string ranks : {"3", "8"}) {
        INFO(what << " on " << ranks << " ranks, " << launch);
        CHECK(place.launched(what, fmt::format("{}{} {}", launch, script, ranks)) == one);
        CHECK(place.members == std::stoul(ranks));
      }
    }
  }
}

TEST_CASE("a run goes on with another number of ranks", "[group][mpi]") {
  const Place place;
  REQUIRE(place.command("generate sk -n 60 -o s.json").code == 0);
  const Json whole = place.solve(kLong, 0);
  const std::string saved = kLong + " --checkpoint c";
  place.solve(saved + " --time-limit 0.01", 2);
  CHECK(place.solve(saved, 3) == whole);
}

TEST_CASE("wrong usage and bad input end all ranks with one message", "[group][mpi]") {
  const Place place;
  const auto launch = [&](const std::string& what) {
    return place.together("mpirun --oversubscribe -n 3 '" + place.program + "' " + what +
                          " 2>&1 | grep -c '^chainmail:'");
  };
  CHECK(launch("solve nowhere.json").text == "1\n");
  CHECK(launch("solve").text == "1\n");
}

TEST_CASE("a rank that hangs costs time only where mpirun recovers", "[group][mpi]") {
  const Place place;
  REQUIRE(place.command("generate sk -n 300 -o s.json").code == 0);
  const std::string what = "s.json --sweeps 4000 --tiles 3 --target -1e9 --device-timeout 1";
  const Json one = place.solve(what, 0);
  // Once the ladder is saved the sweeps begin: the last rank is stopped.
  write_file(place.folder.file("launch"),
             "mpirun --enable-recovery --oversubscribe -n 3 \"$@\" --checkpoint c & job=$!\n"
             "until [ -s c.schedule ] || ! kill -0 $job 2>/dev/null; do sleep 0.01; done\n"
             "kill -STOP $(pgrep -n -P $job)\n"
             "timeout 240 tail --pid=$job -f /dev/null || { pkill -KILL -P $job; exit 9; }\n"
             "wait $job\n");
  Json lost = place.launched(what, "sh launch");
  CHECK_THAT(lost["schedule_notes"].dump(), Catch::Contains("rank 2 has not answered"));
  lost["schedule_notes"] = one["schedule_notes"];
  CHECK(lost == one);
}

TEST_CASE("ranks that do not find together end with a message", "[group][mpi]") {
  const Place place;
  REQUIRE(place.command("generate sk -n 20 -o s.json").code == 0);
  // Not `... : -n 1 sleep 60`: the mpirun of Open MPI 5.0.7 (Debian 13) crashes on two programs.
  const Outcome outcome = place.together(
      "CHAINMAIL_JOIN_SECONDS=1 mpirun --oversubscribe -n 3 sh -c "
      "'[ $OMPI_COMM_WORLD_RANK = 2 ] && exec sleep 60; exec \"" +
      place.program + "\" solve -q s.json' 2>&1");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.text, Catch::Contains("did not connect within 1 s"));
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
             Catch::Contains("not from the same run as r1.json") && Catch::Contains("\"seed\""));
  for (const std::string wrong : {"0", "5/4", "1/", "x", "1/0", "2/3/4", "-1"}) {
    CHECK(place.command("solve p.json --trials " + wrong).code == 2);
  }
}
