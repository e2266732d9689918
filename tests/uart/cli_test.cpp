// The command line on simulated boards: real processes, a real terminal between them.
#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../temporary_folder.hpp"
#include "device/xrt/worker_process.hpp"
#include "support.hpp"

namespace chainmail::test {
namespace {

using Catch::Contains;

struct Outcome {
  int code;
  std::string output;
};

Outcome run_command(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome{};
  std::array<char, 256> part{};
  while (fgets(part.data(), part.size(), pipe) != nullptr) outcome.output += part.data();
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

// A board program of its own; it ends with its client.
class BoardProgram {
 public:
  explicit BoardProgram(const std::string& board) {
    pipe_ = popen((find_companion("uart_board") + " --board " + board).c_str(), "r");
    REQUIRE(pipe_ != nullptr);
    std::array<char, 128> line{};
    REQUIRE(fgets(line.data(), line.size(), pipe_) != nullptr);
    path = line.data();
    path.pop_back();
  }
  ~BoardProgram() {
    if (pipe_ != nullptr) end();
  }
  BoardProgram(const BoardProgram&) = delete;
  BoardProgram& operator=(const BoardProgram&) = delete;
  int end() {
    std::array<char, 256> line{};
    while (fgets(line.data(), line.size(), pipe_) != nullptr) last_words = line.data();
    return pclose(std::exchange(pipe_, nullptr));
  }
  std::string path, last_words;

 private:
  FILE* pipe_;
};

}  // namespace

TEST_CASE("The full adder at P = 2, 4, 6, 8: the boards draw sw_emu's samples", "[uart]") {
  const TemporaryFolder folder;
  const std::string program = find_companion("chainmail"), problem = folder.file("adder.json");
  REQUIRE(run_command(program + " generate full-adder -o " + problem).code == 0);
  // All replicas' spins, f and g after every burst: equality in every bit is stronger than equal KL
  // or swaps.
  const auto sample = [&](const std::string& device) {
    const std::string out = folder.file("samples.csv");
    const Outcome outcome =
        run_command(program + " sample " + problem +
                    " --copies 2 --betas 1 --penalties 2,4,6,8 --sweeps-per-swap 500 --samples 20 "
                    "--warmup 2 --all --seed 3 --quiet --device-timeout 60 --device " +
                    device + " -o " + out);
    INFO(outcome.output);
    REQUIRE(outcome.code == 0);
    return text_of(out);
  };
  const std::string expected = sample(std::string("sw_emu:") + kBoardTopology);
  CHECK(std::count(expected.begin(), expected.end(), '\n') == 81);
  for (const char* board : {"hx8k", "icebreaker"}) {
    BoardProgram served(board);
    CHECK(sample("uart:" + served.path) == expected);
    CHECK(served.end() == 0);  // it has noticed that its client left
  }
}

TEST_CASE("A simulated ULX3S reaches an optimum", "[uart]") {
  const TemporaryFolder folder;
  const std::string program = find_companion("chainmail"), problem = folder.file("planted.json");
  REQUIRE(run_command(program + " generate wishart -n 8 --integer --seed 1 -o " + problem).code ==
          0);
  BoardProgram served("ulx3s-25f");
  const Outcome outcome =
      run_command(program + " solve " + problem +
                  " --copies 3 --device-timeout 60 --device uart:" + served.path);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.output, Contains("kernel 8x3-b17-r64") && Contains("optimum reached"));
  // By fifty sweeps a swap it would be 99 %.
  CHECK_THAT(outcome.output, Contains("swaps every 4,") &&
                                 Contains("the device is idle 50 % of the time (projected)"));
  CHECK(served.end() == 0);
  CHECK_THAT(served.last_words, Contains("bytes to the board") && Contains("at work"));
}

TEST_CASE("A line without a board is one line and exit code 3", "[uart]") {
  const TemporaryFolder folder;
  const std::string program = find_companion("chainmail"), problem = folder.file("adder.json");
  REQUIRE(run_command(program + " generate full-adder -o " + problem).code == 0);
  const auto solve = [&](const std::string& device) {
    return run_command(program + " solve " + problem +
                       " --copies 2 --quiet --device-timeout 0.5 --device " + device);
  };
  // A terminal nobody serves.
  const sim::BoardServer silent(sim::BoardCore::make("hx8k"));
  for (const std::string& device : {"uart:" + silent.path(), folder.file("x").insert(0, "uart:"),
                                    std::string("uart:/dev/null")}) {
    const Outcome outcome = solve(device);
    INFO(outcome.output);
    CHECK(outcome.code == 3);
    CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 1);
    CHECK_THAT(outcome.output, Contains("uart:"));
  }
  CHECK(solve("uart:").code == 2);
  CHECK(solve("uart:/dev/null:fast").code == 2);
  CHECK(solve("uart:/dev/null:12345").code == 2);
  CHECK_THAT(run_command(program + " devices").output, Contains("uart:PATH"));
}

}  // namespace chainmail::test
