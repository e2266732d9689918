// The command line on emulated devices: real processes from the solver to the kernel.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "support.hpp"

using namespace chainmail;
using Catch::Contains;
using nlohmann::json;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string solver_program() {
  return test::built("chainmail");
}

// A planted 16-spin problem, and its ladder by hand so that no pilot is needed.
std::string planted(const test::PrivateTmp& tmp) {
  std::string path = tmp.file("problem.json");
  REQUIRE(run(solver_program() + " generate wishart -n 16 --alpha 0.75 --seed 11 -o " + path) == 0);
  return path;
}

constexpr const char* ladder =
    " --betas 1,2,3,4.5,7 --penalties 0.5,1,1.5 --sweeps-per-swap 10 --trials 2 "
    "--seed 5 --quiet";

json solved(const test::PrivateTmp& tmp, const std::string& problem, const std::string& device) {
  const std::string out = tmp.file(device + ".result.json");
  REQUIRE(run(solver_program() + " solve " + problem + ladder + " --sweeps 400 --device " + device +
              " --json " + out + " > " + tmp.file("log") + " 2>&1") == 0);
  return json::parse(text_of(out));
}

// All fields that do not depend on time or place.
json essence(json result) {
  for (const char* key : {"device", "seconds", "tune_seconds", "updates_per_ns", "peak_memory_kib"})
    result.erase(key);
  return result;
}

// Starts chainmail solve with far more sweeps than the test will wait for; the child's number.
pid_t start_endless(const std::string& problem, const std::string& out, const std::string& log,
                    const std::string& more = {}) {
  const pid_t child = fork();
  if (child != 0) return child;
  const std::string command = "exec " + solver_program() + " solve " + problem + ladder +
                              " --sweeps 100000000 --device sw_emu:16x2 --json " + out + more +
                              " > /dev/null 2> " + log;
  execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

pid_t worker_of(pid_t solver) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::ifstream children("/proc/" + std::to_string(solver) + "/task/" + std::to_string(solver) +
                           "/children");
    pid_t worker = 0;
    if (children >> worker && test::device_process(worker) > 0) return worker;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return 0;
}

int exit_code(pid_t process) {
  int status = 0;
  REQUIRE(waitpid(process, &status, 0) == process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("solve gives the same bits on sw_emu, hw_emu and the native kernel", "[xrt][solve]") {
  const test::PrivateTmp tmp;
  const std::string problem = planted(tmp);
  const json software = solved(tmp, problem, "sw_emu:16x2");
  const json hardware = solved(tmp, problem, "hw_emu:16x2");
  const json native = solved(tmp, problem, "hls:16x2");
  CHECK(essence(software) == essence(hardware));
  CHECK(essence(software) == essence(native));
  CHECK(software.at("feasible") == true);
  CHECK(software.at("residual_per_spin").get<double>() == Approx(0).margin(1e-9));
  CHECK_THAT(hardware.at("device").get<std::string>(),
             Contains("hw_emu:16x2") && Contains("clocks"));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("the row and the flip kernel give the same bits behind XRT as natively", "[xrt][solve]") {
  const std::string topology = GENERATE("40-rows-l2", "64-flips");
  const test::PrivateTmp tmp;
  const std::string problem = tmp.file("problem.json");
  REQUIRE(run(solver_program() + " generate wishart -n 30 --alpha 1 --integer --seed 3 -o " +
              problem) == 0);
  // Two trials share the ring, so that grids take turns on one image each.
  const auto by = [&](const std::string& device) {
    const std::string out = tmp.file(device + ".json");
    REQUIRE(run(solver_program() + " solve " + problem + " --sweeps 100 --trials 2 --device " +
                device + ":" + topology + " --json " + out + " > " + tmp.file("log") + " 2>&1") ==
            0);
    return json::parse(text_of(out));
  };
  const json software = by("sw_emu"), hardware = by("hw_emu"), native = by("hls");
  CHECK(essence(software) == essence(native));
  CHECK(essence(hardware) == essence(native));
  CHECK(native.at("residual_per_spin").get<double>() == Approx(0).margin(1e-9));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a row and a flip kernel with constraints give the same bits behind XRT as natively",
          "[xrt][solve]") {
  // A knapsack; jobs for machines, in groups.
  const std::pair<std::string, std::string> choice =
      GENERATE(std::pair<std::string, std::string>{"40-rows-l2-f4", "qkp -n 30"},
               std::pair<std::string, std::string>{"128-flips-f4-p-g", "qkp -n 30"},
               std::pair<std::string, std::string>{"128-flips-f4-p-g", "assignment -n 20"});
  const std::string &topology = choice.first, &problem = choice.second;
  const test::PrivateTmp tmp;
  const std::string model = tmp.file("model.lp");
  REQUIRE(run(solver_program() + " generate " + problem + " --seed 3 -o " + model) == 0);
  const auto by = [&](const std::string& device) {
    const std::string out = tmp.file(device + ".json");
    REQUIRE(run(solver_program() + " solve " + model + " --sweeps 200 --quiet --device " + device +
                ":" + topology + " --json " + out + " > " + tmp.file("log") + " 2>&1") == 0);
    return json::parse(text_of(out));
  };
  const json software = by("sw_emu"), hardware = by("hw_emu"), native = by("hls");
  CHECK(essence(software) == essence(native));
  CHECK(essence(hardware) == essence(native));
  CHECK(native.at("feasible") == true);
  CHECK(tmp.leftovers().empty());
}

// Every replica from zero on a ladder of `tune`: what is found is the kernel's. The optima of set
// and assignment are CBC's, that of the knapsack is what the CPU finds in seconds.
TEST_CASE("the Verilated row kernel reaches three optima with the bits of the HLS one",
          "[.optima]") {
  const test::PrivateTmp tmp;
  struct Problem {
    const char *kind, *size, *optimum;
  };
  for (const Problem& problem : {Problem{"qkp", "100", "34437"},
                                 {"independent-set", "100", "49"},
                                 {"assignment", "20", "407"}}) {
    const std::string model = tmp.file(std::string(problem.kind) + ".lp"),
                      ladder = model + ".ladder";
    REQUIRE(run(fmt::format("{} generate {} -n {} --seed 3 -o {}", solver_program(), problem.kind,
                            problem.size, model)) == 0);
    REQUIRE(run(fmt::format("{} tune {} -o {} > /dev/null", solver_program(), model, ladder)) == 0);
    const auto by = [&](const std::string& device) {
      const std::string out = model + device + ".json";
      REQUIRE(run(fmt::format("{} solve {} --schedule {} --target {} --sweeps 3000 --device "
                              "{}:128-rows-f4-p-g --json {} > {} 2>&1",
                              solver_program(), model, ladder, problem.optimum, device, out,
                              tmp.file("log"))) == 0);
      return json::parse(text_of(out));
    };
    const json software = by("sw_emu"), hardware = by("hw_emu");
    CHECK(essence(hardware) == essence(software));
    CHECK(hardware.at("feasible") == true);
    CHECK(hardware.at("objective").get<double>() == Approx(std::stod(problem.optimum)));
    std::cout << fmt::format("{}: {} at sweep {}, {:.1f} s on hw_emu\n", problem.kind,
                             problem.optimum, hardware.at("best_found_at_sweep").get<int>(),
                             hardware.at("seconds").get<double>());
  }
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a constrained model gives the same bits on all kernels", "[xrt][solve]") {
  // A round trip through five places: 16 bits, eight constraints, tables for every penalty.
  const test::PrivateTmp tmp;
  const std::string model = tmp.file("trip.lp");
  REQUIRE(run(solver_program() + " generate tsp -n 5 -o " + model) == 0);
  const auto trip = [&](const std::string& device) {
    const std::string out = tmp.file(device + ".result.json");
    REQUIRE(run(solver_program() + " solve " + model + " --sweeps 100 --seed 3 --quiet --device " +
                device + ":16x1 --json " + out + " > " + tmp.file("log") + " 2>&1") == 0);
    return json::parse(text_of(out));
  };
  const json software = trip("sw_emu"), hardware = trip("hw_emu"), native = trip("hls");
  CHECK(essence(software) == essence(hardware));
  CHECK(essence(software) == essence(native));
  CHECK(software.at("feasible") == true);
  CHECK(software.at("columns").get<int>() > 1);
  // A larger one is refused before anything runs, with both sizes.
  REQUIRE(run(solver_program() + " generate tsp -n 6 -o " + model) == 0);
  CHECK(run(solver_program() + " solve " + model + " --device sw_emu:16x1 > /dev/null 2> " +
            tmp.file("log")) == 1);
  CHECK_THAT(text_of(tmp.file("log")), Contains("25 spins; topology 16x1 holds 16"));
}

TEST_CASE("Ctrl-C on an emulated device ends with the best state so far", "[xrt][solve]") {
  const test::PrivateTmp tmp;
  const std::string problem = planted(tmp), out = tmp.file("result"), log = tmp.file("log");
  const pid_t solver = start_endless(problem, out, log);
  const pid_t worker = worker_of(solver);
  REQUIRE(worker > 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  REQUIRE(kill(solver, SIGINT) == 0);
  CHECK(exit_code(solver) == 6);  // interrupted, with an answer
  CHECK(json::parse(text_of(out)).at("stopped_by") == "interrupt");
  CHECK(test::group_is_gone(worker));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a run on an emulated device resumes to the same result", "[xrt][solve]") {
  const test::PrivateTmp tmp;
  const std::string problem = planted(tmp);
  const std::string solve = solver_program() + " solve " + problem + ladder +
                            " --sweeps 6000 --device sw_emu:16x2 --json ";
  const std::string whole = tmp.file("whole"), resumed = tmp.file("resumed");
  const std::string quietly = " > " + tmp.file("log") + " 2>&1";
  REQUIRE(run(solve + whole + quietly) == 0);
  const std::string saved = " --checkpoint " + tmp.file("checkpoint");
  REQUIRE(run(solve + resumed + saved + " --time-limit 0.05" + quietly) == 0);
  CHECK(json::parse(text_of(resumed)).at("stopped_by") == "time limit");
  REQUIRE(run(solve + resumed + saved + quietly) == 0);
  CHECK(essence(json::parse(text_of(resumed))) == essence(json::parse(text_of(whole))));
}

TEST_CASE("ladders fill a card that is wired for the problem", "[xrt][solve]") {
  const test::PrivateTmp tmp;
  const std::string problem = tmp.file("ea.json"), out = tmp.file("result"), log = tmp.file("log");
  REQUIRE(run(solver_program() + " generate ea3d -n 5 -o " + problem) == 0);
  REQUIRE(run(solver_program() + " solve " + problem + " --sweeps 50 --emulate-latency u55c" +
              " --device sw_emu:lattice-5x5x5 --json " + out + " > " + log + " 2>&1") == 0);
  const json result = json::parse(text_of(out));
  CHECK(result.at("rows") == 32);
  CHECK(result.at("columns") == 10);
  CHECK_THAT(text_of(log), Contains("3 trials in flight on 1 compute unit, 320 replicas"));
}

TEST_CASE("a lattice of 512 spins to its optimum on the Verilated kernel wired for it",
          "[.wired]") {
  const test::PrivateTmp tmp;
  const std::string problem = tmp.file("ea.json"), out = tmp.file("result");
  REQUIRE(run(solver_program() + " generate ea3d -n 8 -o " + problem) == 0);
  const auto energy = [&](const std::string& options) {
    REQUIRE(run(solver_program() + " solve " + problem + options + " --json " + out) == 0);
    return json::parse(text_of(out)).at("energy").get<double>();
  };
  // Lattices have no proof: the lowest of four default runs on the CPU.
  double lowest = 0.0;
  for (const char* seed : {"1", "2", "3", "4"}) {
    lowest = std::min(lowest, energy(std::string(" --seed ") + seed));
  }
  CHECK(energy(" --device-timeout 600 --device hw_emu:lattice-8x8x8 --target " +
               std::to_string(std::lround(lowest))) == lowest);
}

TEST_CASE("a device killed under the solver: exit code 3, the best state saved", "[xrt][solve]") {
  const test::PrivateTmp tmp;
  const std::string problem = planted(tmp), out = tmp.file("result"), log = tmp.file("log");
  const pid_t solver = start_endless(problem, out, log);
  const pid_t worker = worker_of(solver);
  REQUIRE(worker > 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  REQUIRE(kill(test::device_process(worker), SIGKILL) == 0);
  CHECK(exit_code(solver) == 3);
  const std::string said = text_of(log);
  CHECK_THAT(said, Contains("chainmail: sw_emu:16x2: the device process ended"));
  CHECK(std::count(said.begin(), said.end(), '\n') == 1);
  const json result = json::parse(text_of(out));
  CHECK(result.at("stopped_by") == "device fault");
  CHECK(result.at("feasible") == true);
  CHECK(test::group_is_gone(worker));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a device stopped under the solver is given up after --device-timeout", "[xrt][solve]") {
  const test::PrivateTmp tmp;
  const std::string problem = planted(tmp), out = tmp.file("result"), log = tmp.file("log");
  const pid_t solver = start_endless(problem, out, log, " --device-timeout 2");
  const pid_t worker = worker_of(solver);
  REQUIRE(worker > 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  REQUIRE(kill(test::device_process(worker), SIGSTOP) == 0);
  CHECK(exit_code(solver) == 3);
  CHECK_THAT(text_of(log), Contains("no answer within 2 s"));
  CHECK(test::group_is_gone(worker));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("an ordinary user without a home, two runs at once", "[xrt][solve]") {
  const test::PrivateTmp tmp;
  const std::string problem = planted(tmp);
  // Root becomes nobody; other users stay.
  const std::string as =
      geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  // The checkout may not be readable for nobody, so the program is copied.
  namespace fs = std::filesystem;
  const std::string place = "/tmp/chainmail-nobody-" + std::to_string(getpid());
  for (const char* folder : {"", "/program", "/program/emu", "/tmp"}) {
    fs::create_directory(place + folder);
    fs::permissions(place + folder, fs::perms::all);
  }
  fs::copy_file(problem, place + "/problem.json");
  const fs::path built = fs::path(solver_program()).parent_path();
  for (const char* file :
       {"chainmail", "chainmail-xrt", "libchainmail_emu.so", "emu/16x2.sw_emu.xclbin"}) {
    fs::copy_file(built / file, place + "/program/" + file);
  }
  const std::string solve = as + "env -u USER HOME=/nonexistent TMPDIR=" + place + "/tmp " + place +
                            "/program/chainmail solve " + place + "/problem.json" + ladder +
                            " --sweeps 400 --device sw_emu:16x2 --json " + place;
  CHECK(run("cd / && (" + solve + "/one > " + place + "/log1 2>&1 & one=$!; " + solve + "/two > " +
            place + "/log2 2>&1 && wait $one)") == 0);
  CHECK(essence(json::parse(text_of(place + "/one"))) ==
        essence(json::parse(text_of(place + "/two"))));
  CHECK(fs::is_empty(place + "/tmp"));  // no run folder is left
  fs::remove_all(place);
}
