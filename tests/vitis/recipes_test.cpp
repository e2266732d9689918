// The commands `make bitstream` would run, for every board, kernel and version, seen by `make -n`;
// and what a machine without Vitis is told.
#include <catch2/catch.hpp>
#include <vector>

#include "command.hpp"

using namespace chainmail::test;
using Catch::Contains;

namespace {

const std::vector<std::string> kBoards{"u55c", "u50", "u250", "u280", "kv260"};
const std::vector<std::string> kClassic{"2022.1", "2022.2", "2023.1", "2023.2", "2024.1"};
const std::vector<std::string> kUnified{"2024.2", "2025.1", "2025.2"};

std::string commands(const std::string& board, const std::string& kernel,
                     const std::string& version) {
  const Outcome shown = run("make -n bitstream BOARD=" + board + " KERNEL=" + kernel +
                            " TOPOLOGY=16x2 CUS=1 VITIS_VERSION=" + version);
  INFO(shown.text);
  CHECK(shown.code == 0);
  return shown.text;
}

// The commands come in this order.
void check_order(const std::string& text, const std::vector<std::string>& steps) {
  std::size_t at = 0;
  for (const std::string& step : steps) {
    INFO("looking for: " << step << "\nin:\n" << text);
    const std::size_t found = text.find(step, at);
    REQUIRE(found != std::string::npos);
    at = found + step.size();
  }
}

std::vector<std::string> steps_of(const std::string& board, const std::string& kernel,
                                  bool unified) {
  std::vector<std::string> steps;
  if (kernel == "rtl") {
    steps = {"write_topology kernel-xml", "vivado -mode batch", "package_xo.tcl",
             "pbit_burst_core.sv", "pbit_burst.v"};
  } else if (unified) {
    steps = {"v++ -c --mode hls", "vitis-run --mode hls --package", "check_reports ii"};
  } else {
    steps = {"v++ -c -t hw --platform", "-k pbit_burst", "check_reports ii"};
  }
  for (const char* step : {"write_topology link", "v++ -l -t hw --platform", "--config",
                           "pbit_burst.link.xclbin", "check_reports timing"}) {
    steps.emplace_back(step);
  }
  steps.emplace_back(board == "kv260" ? "bootgen" : "v++ -p -t hw --platform");
  return steps;
}

}  // namespace

TEST_CASE("every board, kernel and version has its commands", "[vitis]") {
  for (const std::string& board : kBoards) {
    for (const std::string kernel : {"hls", "rtl"}) {
      for (const std::string& version : kClassic) {
        const std::string text = commands(board, kernel, version);
        check_order(text, steps_of(board, kernel, false));
        const bool old_clock = version < "2023.2";
        CHECK((text.find("--kernel_frequency") != std::string::npos) == old_clock);
        CHECK((text.find("--freqhz") != std::string::npos) != old_clock);
      }
      for (const std::string& version : kUnified) {
        check_order(commands(board, kernel, version), steps_of(board, kernel, true));
      }
    }
  }
}

TEST_CASE("without Vitis there is one message that says what to install", "[vitis]") {
  // A PATH with the ordinary tools only, so that the test holds where Vitis is installed too.
  for (const std::string kernel : {"hls", "rtl"}) {
    const Outcome told = run("PATH=/usr/bin:/bin make -s bitstream BOARD=u50 KERNEL=" + kernel +
                             " VITIS_VERSION=2024.2");
    INFO(told.text);
    CHECK(told.code != 0);
    CHECK_THAT(told.text, Contains("needs AMD Vitis") && Contains("v++ is not on the PATH") &&
                              Contains("xilinx_u50_gen3x16_xdma_5_202210_1"));
    CHECK(told.text.find("make: ***") == told.text.find('\n') + 1);
  }
}

TEST_CASE("what the recipes cannot do is refused by name", "[vitis]") {
  CHECK_THAT(run("make -n bitstream BOARD=u55c KERNEL=vhdl").text,
             Contains("KERNEL=vhdl is not hls or rtl"));
  CHECK_THAT(run("make -n bitstream BOARD=u55c VITIS_VERSION=2019.2").text,
             Contains("Vitis 2019.2 is not one of"));
  CHECK_THAT(run("make bitstream BOARD=zcu104").text,
             Contains("zcu104 is not a board") && Contains("u55c"));
}

TEST_CASE("flags of a target do not reach what it is made of", "[vitis]") {
  // On a clean tree, one job at a time, whatever is built first: the generator links no library.
  for (const std::string first : {"rtl", "uart", "hls", "prim", "xrt"}) {
    const Outcome shown =
        run("make -n -j1 OUT=build/none build/none/tests/" + first + " | grep -- write_topology");
    INFO(first);
    const std::size_t end = shown.text.find("-o build/none/write_topology\n");
    REQUIRE(end != std::string::npos);
    const std::size_t begin = shown.text.rfind('\n', end);
    CHECK_THAT(shown.text.substr(begin + 1, end - begin), !Contains("libchainmail.a"));
  }
}
