// Time limits and signals from the first millisecond on: whatever is running, the best state so far
// is returned promptly.
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "../quiet_clock.hpp"
#include "program.hpp"
#include "workplace.hpp"

using namespace chainmail;
using namespace chainmail::test;
using nlohmann::json;

namespace {

// Each would run for hours or for ever: in the pilot, the rehearsal, one burst, the run.
const std::vector<std::string> kEndless = {
    "--ladder paper --pilot-samples 1e12",
    "--ladder paper --pilot-warmup 1e12",
    "--ladder paper --rehearsal 1e12",
    "--copies 3 --pilot-samples 1e12 --ladder paper",
    "--betas 1,2 --sweeps 1e12 --sweeps-per-swap 1e12",
    "--betas 1,2 --sweeps 1e12 --sweeps-per-swap 1e12 --precision float --copies 2 --penalties 1,2",
    "--sweeps 1e12",
};

// The exit code says whether the answer is feasible, and if so whether it was interrupted.
void check_answer(const Workplace& place, int code, const std::string& why) {
  const json result = json::parse(place.read("r.json"));
  CHECK(result.at("stopped_by") == why);
  CHECK(code == (!result.at("feasible") ? 4 : why == "interrupt" ? 6 : 0));
  if (result.contains("variables")) {
    CHECK(!result.at("variables").empty());
  } else {
    CHECK(result.at("solution").size() == result.at("spins").get<std::size_t>());
  }
  CHECK(result.at("energy").is_number());
}

int stopped(const Workplace& place, const std::string& arguments, int signal, int milliseconds) {
  Program run(place, arguments);
  run.await_handler(signal);
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  run.signal(signal);
  return run.code();
}

}  // namespace

TEST_CASE("a time limit covers everything, and an answer comes back") {
  const Workplace place;
  place.run("generate sk -n 40 --seed 5 -o p.json");  // no optimum to end at
  for (const std::string& options : kEndless) {
    INFO(options);
    const QuietClock clock;
    const auto outcome = place.run("solve p.json --time-limit 0.3 --json r.json " + options,
                                   "/dev/null", "timeout -s KILL 30");
    INFO(outcome.errors);
    CHECK(clock.seconds() < 10.0);
    check_answer(place, outcome.code, "time limit");
  }
}

TEST_CASE("the first milliseconds count too") {
  const Workplace place;
  place.run("generate sk -n 40 --seed 5 -o p.json");  // no optimum to end at
  const auto outcome = place.run("solve p.json --time-limit 0.000001 --json r.json --sweeps 1e12");
  check_answer(place, outcome.code, "time limit");
}

TEST_CASE("a time limit alone decides how long a model runs") {
  const Workplace place;
  place.write(
      "k.lp",
      "Maximize\n 5 a + 4 b + 3 c\nSubject To\n w: 2 a + 3 b + c <= 4\nBinary\n a b c\nEnd\n");
  // A run of default length is done in a fraction of this on so small a model.
  const int whole = place.run("solve k.lp --exact off --no-stop --json r.json").code;
  check_answer(place, whole, "sweeps");
  const int limited =
      place.run("solve k.lp --exact off --no-stop --time-limit 1 --json r.json").code;
  check_answer(place, limited, "time limit");
  CHECK(json::parse(place.read("r.json")).at("feasible") == true);
}

TEST_CASE("signals end everything with the best so far") {
  const Workplace place;
  place.run("generate sk -n 40 --seed 5 -o p.json");  // no optimum to end at
  for (int signal : {SIGINT, SIGTERM}) {
    for (const std::string& options : kEndless) {
      INFO(options << ", signal " << signal);
      std::filesystem::remove(place.path("r.json"));
      const int code = stopped(place, "solve p.json --json r.json " + options, signal, 300);
      check_answer(place, code, "interrupt");
    }
  }
}

TEST_CASE("samples drawn before Ctrl-C are written, and the exit code tells that more were meant") {
  const Workplace place;
  place.run("generate sk -n 12 --seed 5 -o p.json");
  place.run("generate qkp -n 12 --seed 5 -o m.lp");
  for (const std::string file : {"p.json", "m.lp"}) {
    INFO(file);
    const std::string command = "sample " + file + " --samples 1e12 -o s.csv";
    CHECK(stopped(place, command, SIGINT, 1000) == 6);
    CHECK_THAT(place.read("s.csv"), Catch::StartsWith("burst,"));
  }
}

TEST_CASE("tuning that is stopped says so") {
  const Workplace place;
  place.run("generate sk -n 40 --seed 5 -o p.json");  // no optimum to end at
  CHECK(stopped(place, "tune p.json --ladder paper --pilot-samples 1e12 -o s.json", SIGINT, 300) ==
        1);
  CHECK_FALSE(place.has("s.json"));
}

TEST_CASE("the pilot's best state is the answer when nothing else is") {
  const Workplace place;
  place.run("generate qkp -n 30 -o k.lp");
  // The pilot needs longer than this on one thread, and finds feasible states on its way.
  const auto outcome = place.run(
      "solve k.lp --exact off --threads 1 --pilot-chains 64 --time-limit 0.4 --json r.json");
  check_answer(place, outcome.code, "time limit");
}

TEST_CASE("a target is in the user's terms") {
  const Workplace place;
  place.write("m.lp",
              "Maximize\n p: 3 a + 2 b + 4 c + 5 d\nSubject To\n w: 2 a + 3 b + 4 c + 5 d <= 9\n"
              "Binary\n a b c d\nEnd\n");
  const auto solve = [&](const std::string& target) {
    REQUIRE(place.run("solve m.lp --sweeps 3000 --json r.json --target " + target).code == 0);
    return json::parse(place.read("r.json"));
  };
  const json reached = solve("9");  // c and d
  CHECK(reached.at("stopped_by") == "target");
  CHECK(reached.at("objective") == 9);
  CHECK(solve("10").at("stopped_by") == "sweeps");
  place.run("generate maxcut -n 12 --degree 3 -o c.json");
  REQUIRE(place.run("solve c.json --sweeps 2000 --json r.json").code == 0);
  const double cut = json::parse(place.read("r.json")).at("objective");
  REQUIRE(cut > 0);
  REQUIRE(
      place.run("solve c.json --sweeps 2000 --json r.json --target " + std::to_string(cut)).code ==
      0);
  CHECK(json::parse(place.read("r.json")).at("stopped_by") == "target");
  REQUIRE(place.run("solve c.json --sweeps 2000 --json r.json --target " + std::to_string(cut + 1))
              .code == 0);
  CHECK(json::parse(place.read("r.json")).at("stopped_by") == "sweeps");
}

TEST_CASE(
    "a model without an objective ends when its own constraints hold, not when rounded ones do") {
  const Workplace place;
  // Three irrational weights: no choice sums up to the limit, though some do to the rounded limit.
  place.write("m.lp",
              "Minimize\n\nSubject To\n e: 1.41421356237309 a + 1.73205080756887 b + "
              "2.23606797749978 c = 3.146264\nBinary\n a b c\nEnd\n");
  const auto outcome = place.run("solve m.lp --sweeps 500 --json r.json");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 4);
  const json result = json::parse(place.read("r.json"));
  CHECK(result.at("feasible") == false);
  CHECK(result.at("stopped_by") == "sweeps");
}

TEST_CASE("threads that are refused are done without") {
  const Workplace place;
  place.run("generate wishart -n 30 --seed 5 -o p.json");
  const std::string solve = "solve p.json --sweeps 200 --json - --threads ";
  const json one = json::parse(place.run(solve + "1").output);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // A sanitizer takes terabytes of addresses itself. Stacks that exceed the machine's memory are
  // refused one and all.
  const std::string limit =
      "ulimit -s $(awk '/^(Mem|Swap)Total/ {s += $2} END {print 2 * s}' /proc/meminfo);";
#else
  // Stacks of 8 MiB each: hundreds do not fit the address space that is left.
  const std::string limit = "ulimit -s 8192; ulimit -v 1500000;";
#endif
  const auto few = place.run(solve + "400", "/dev/null", limit);
  INFO(few.errors);
  REQUIRE(few.code == 0);
  const json result = json::parse(few.output);
  CHECK(result.at("solution") == one.at("solution"));
  CHECK_THAT(result.at("schedule_notes").dump(), Catch::Contains("of 400 threads"));
}
