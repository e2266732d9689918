// Where results go: paths are tried before the run, one that fails does not affect the others,
// files keep their mode, links stay links, and the input is never overwritten.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "workplace.hpp"

using namespace chainmail;
using namespace chainmail::test;
using nlohmann::json;

TEST_CASE("outputs are tried before the run") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  const std::string before = place.read("a.json");
  // Endless runs: were the path not tried first, these would never end.
  const std::string solve = "solve a.json --sweeps 1e15 --time-limit 60 ";
  for (const char* option : {"--json", "--trace", "--report", "--checkpoint"}) {
    INFO(option);
    check_refused(place.run(solve + option + " /nonexistent/x"), 1, "cannot write /nonexistent/x");
    check_refused(place.run(solve + option + " ."), 1, "cannot write .: Is a directory");
    check_refused(place.run(solve + option + " a.json"), 2, "would overwrite the input a.json");
  }
  check_refused(place.run(solve + "--json ./../" +
                          std::filesystem::path(place.path("")).parent_path().filename().string() +
                          "/a.json"),
                2, "would overwrite the input");
  check_refused(place.run(solve + "--json x --report x"), 2, "--json and --report are both");
  check_refused(place.run(solve + "--json - --trace -"), 2, "written to standard output");
  check_refused(place.run("tune a.json --pilot-samples 1e12 -o /nonexistent/s"), 1, "cannot write");
  check_refused(place.run("tune a.json --pilot-samples 1e12 -o a.json"), 2, "overwrite the input");
  check_refused(place.run("sample a.json --samples 1e12 -o a.json"), 2, "overwrite the input");
  check_refused(place.run("generate wishart -n 5000 -o /nonexistent/p"), 1, "cannot write");
  check_refused(place.run(solve + "--checkpoint /dev/full"), 1, "not a regular file");
  CHECK(place.read("a.json") == before);
  CHECK(place.files() == 3);  // the problem, .output, .errors
}

TEST_CASE("an output that fails in the end does not take the others with it") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  const auto outcome =
      place.run("solve a.json --sweeps 100 --json /dev/full --trace t.csv --report r.html");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.errors, Catch::Contains("cannot write /dev/full"));
  CHECK_THAT(outcome.output, Catch::Contains("best"));
  CHECK_THAT(place.read("t.csv"), Catch::StartsWith("sweep,"));
  CHECK_THAT(place.read("r.html"), Catch::Contains("<svg"));
}

TEST_CASE("standard output that cannot be written is an error") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  for (const char* command :
       {"solve a.json --sweeps 100", "solve a.json --sweeps 100 --json -", "info a.json", "--help",
        "solve --help", "--version", "devices", "generate full-adder", "tune a.json",
        "sample a.json --samples 2 --betas 1", "topology 5x2"}) {
    INFO(command);
    const auto outcome = place.run(std::string(command) + " --quiet >/dev/full; true");
    const auto plain = place.run(std::string(command) + " >/dev/full");
    CHECK(plain.code == 1);
    CHECK_THAT(plain.errors, Catch::Contains("standard output"));
  }
  // What can still be saved is.
  CHECK(place.run("solve a.json --sweeps 100 --json r.json >/dev/full").code == 1);
  CHECK(json::parse(place.read("r.json")).at("feasible") == true);
}

TEST_CASE("a file keeps its mode and a symbolic link stays one") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  place.write("private.json", "old");
  REQUIRE(::chmod(place.path("private.json").c_str(), 0600) == 0);
  std::filesystem::create_directory(place.path("far"));
  place.write("far/result.json", "old");
  std::filesystem::create_symlink("far/result.json", place.path("link.json"));
  std::filesystem::create_symlink("far/fresh.json", place.path("dangling.json"));
  for (const char* name : {"private.json", "link.json", "dangling.json"}) {
    REQUIRE(place.run(std::string("solve a.json --sweeps 100 --json ") + name).code == 0);
    CHECK(json::parse(place.read(name)).at("feasible") == true);
  }
  struct stat status {};
  REQUIRE(::stat(place.path("private.json").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  CHECK(std::filesystem::is_symlink(place.path("link.json")));
  CHECK(std::filesystem::is_symlink(place.path("dangling.json")));
  CHECK(place.has("far/fresh.json"));
}

TEST_CASE("a checkpoint that cannot be written any more does not end the run") {
  const Workplace place;
  place.run("generate wishart -n 20 -o p.json");
  // Files may not grow past 4 KiB: the ladder and the problem's result fit, the checkpoint does
  // not.
  const auto outcome = place.run("solve p.json --sweeps 2000 --no-stop --checkpoint c --quiet",
                                 "/dev/null", "ulimit -f 3;");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.errors, Catch::Contains("cannot write c"));
  CHECK_THAT(outcome.output, Catch::Contains("best"));
}

TEST_CASE("control bytes of a file do not reach the terminal") {
  const Workplace place;
  const std::string attack =
      "\x1b[2J\x07\x9b"
      "31m";
  place.write("a.lp", "Minimize\n x" + attack + "\nEnd\n");
  place.write("b.json",
              R"({"format":"chainmail-problem","version":1,"name":"\u001b[2J","spins":1})");
  place.write("c.coo", "0 1 1" + attack + "\n");
  place.write("d.json", "{\"format\":\"chainmail-problem\",\"" + attack + "\":1}");
  place.write("e.json", R"({"format":"\u001b[2J"})");
  for (const char* file : {"a.lp", "b.json", "c.coo", "d.json", "e.json", "'\x1b[2J.json'"}) {
    for (const char* command : {"solve ", "info "}) {
      const auto outcome = place.run(command + std::string(file));
      INFO(file << ": " << outcome.errors);
      for (const std::string& text : {outcome.output, outcome.errors}) {
        CHECK(text.find_first_of("\x1b\x07\x9b") == std::string::npos);
      }
    }
  }
}
