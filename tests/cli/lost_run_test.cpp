// What must not lose an answer: a terminal that goes away, a scheduler's warnings, a closed pipe on
// standard output, a small stack.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.hpp"
#include "workplace.hpp"

using namespace chainmail::test;
using nlohmann::json;

namespace {

const std::string kOutputs = "--solution s.txt --trace t.csv --report r.html ";

void check_outputs(const Workplace& place) {
  for (const char* name : {"s.txt", "t.csv", "r.html"}) {
    INFO(name);
    REQUIRE(place.has(name));
    CHECK(!place.read(name).empty());
    std::filesystem::remove(place.path(name));
  }
}

}  // namespace

TEST_CASE("a lost terminal and a scheduler's warnings end a run with all its outputs") {
  const Workplace place;
  const auto before = std::signal(SIGHUP, SIG_DFL);   // the tests themselves may run under nohup
  place.run("generate sk -n 40 --seed 5 -o p.json");  // no optimum to end at
  place.run("generate qkp -n 40 --seed 5 -o m.lp");
  for (const std::string file : {"p.json", "m.lp"}) {
    // Linux sends SIGXCPU every second, and a shell sends SIGHUP in addition to the terminal's.
    for (const int signal : {SIGHUP, SIGXCPU, SIGTERM}) {
      INFO(file << ", signal " << signal);
      Program run(place, "solve " + file + " --sweeps 1e12 --json r.json " + kOutputs);
      run.await_handler(signal);
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      for (int times = 0; times < 3; ++times) run.signal(signal);
      CHECK(run.code() == 6);
      CHECK(json::parse(place.read("r.json")).at("stopped_by") == "interrupt");
      check_outputs(place);
    }
  }
  std::signal(SIGHUP, before);
}

TEST_CASE("nohup is respected") {
  const Workplace place;
  place.run("generate sk -n 40 --seed 5 -o p.json");
  const auto outcome = place.run(
      "solve p.json --time-limit 1.5 --sweeps 1e12 --json r.json & P=$!; sleep 1; kill -HUP $P; "
      "wait $P",
      "/dev/null", "trap '' HUP;");
  CHECK(outcome.code == 0);
  CHECK(json::parse(place.read("r.json")).at("stopped_by") == "time limit");
}

TEST_CASE("SIGUSR1 saves the run, which goes on") {
  const Workplace place;
  place.run("generate sk -n 40 --seed 5 -o p.json");
  place.run("generate qkp -n 40 --seed 5 -o m.lp");
  for (const std::string file : {"p.json", "m.lp"}) {
    INFO(file);
    // Unasked, a run saves itself after ten seconds.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(9);
    Program run(place, "solve " + file + " --sweeps 1e12 --checkpoint c --json r.json");
    run.await_handler(SIGUSR1);
    run.signal(SIGUSR1);
    while (std::chrono::steady_clock::now() < deadline && !place.has("c")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK(place.has("c"));
    CHECK(run.alive());
    run.signal(SIGINT);
    CHECK(run.code() == 6);
    for (const char* name : {"c", "c.schedule"}) std::filesystem::remove(place.path(name));
    // Without a checkpoint there is nothing to save, and nothing ends.
    Program plain(place, "solve " + file + " --time-limit 0.5 --json r.json");
    plain.await_handler(SIGUSR1);
    plain.signal(SIGUSR1);
    CHECK(plain.code() == 0);
  }
}

TEST_CASE("a reader that has seen enough costs nothing but what it would have read") {
  const Workplace place;
  place.run("generate sk -n 20 --seed 5 -o p.json");
  const auto into_nowhere = [&](const std::string& arguments) {
    const std::string command = "cd '" + place.path("") + "' && { sleep 0.2; '" + program() + "' " +
                                arguments + " 2>errors; echo $? >code; } | true";
    REQUIRE(std::system(command.c_str()) == 0);
    return std::stoi(place.read("code"));
  };
  CHECK(into_nowhere("solve p.json --sweeps 50 --json r.json " + kOutputs) == 0);
  CHECK(place.read("errors").empty());
  CHECK(place.has("r.json"));
  check_outputs(place);
  CHECK(into_nowhere("--help") == 0);
  CHECK(into_nowhere("info p.json") == 0);
  // Losing requested output is an error, but no file is lost.
  CHECK(into_nowhere("solve p.json --sweeps 50 --json - " + kOutputs) == 1);
  CHECK_THAT(place.read("errors"), Catch::Contains("cannot write standard output: Broken pipe"));
  check_outputs(place);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a stack of 64 KiB is enough") {
  const Workplace place;
  place.run("generate sk -n 40 --seed 5 -o p.json");
  place.run("generate qkp -n 20 --seed 5 -o m.lp");
  for (const std::string file : {"p.json", "m.lp"}) {
    INFO(file);
    const auto outcome = place.run("solve " + file + " --sweeps 50 --json r.json " + kOutputs,
                                   "/dev/null", "ulimit -s 64;");
    INFO(outcome.errors);
    CHECK(outcome.code == 0);
    CHECK(place.run("info " + file, "/dev/null", "ulimit -s 64;").code == 0);
    check_outputs(place);
  }
}
#endif
