// The commands `make bitstream` would run, for every board, kernel and version, seen by `make -n`;
// and what a machine without Vitis is told.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <vector>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;
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

namespace {

namespace fs = std::filesystem;

// A PATH with the tools of an ordinary account: nothing that installs, nothing of AMD's.
void link_ordinary_tools(const fs::path& folder) {
  fs::permissions(folder, fs::perms(0755));
  for (const auto& entry : fs::directory_iterator("/usr/bin")) {
    const std::string name = entry.path().filename().string();
    const bool installs = name.starts_with("apt") || name.starts_with("dpkg") || name == "sudo";
    const bool vendor = name == "v++" || name == "vivado";
    if (!installs && !vendor) fs::create_symlink(entry.path(), folder / name);
  }
}

// As root the command runs as nobody; else as who we are.
std::string unprivileged(const TemporaryFolder& tools, const std::string& command) {
  const std::string drop =
      ::getuid() == 0 ? "/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  return drop + "/usr/bin/env -i PATH=" + tools.file("") + " " + command;
}

}  // namespace

TEST_CASE("an ordinary account sees every recipe, and nothing is installed", "[vitis]") {
  const TemporaryFolder tools;
  link_ordinary_tools(tools.file(""));
  for (const std::string board : {"u55c", "u50", "u250", "u280", "kv260", "hx8k", "icebreaker"}) {
    const Outcome shown =
        run(unprivileged(tools, "make -B -n bitstream BUILD=debug BOARD=" + board));
    INFO(shown.text);
    CHECK(shown.code == 0);
    CHECK_THAT(shown.text, Contains(board) && Contains("write_topology"));
    CHECK(shown.text.find("apt-get") == std::string::npos);
    CHECK(shown.text.find(".ci/install") == std::string::npos);
  }
  const Outcome told = run(unprivileged(tools, "make -s bitstream BOARD=u280"));
  INFO(told.text);
  CHECK(told.code != 0);
  CHECK_THAT(told.text, Contains("v++ is not on the PATH"));
  CHECK(told.text.find("make: ***") == told.text.find('\n') + 1);
}

TEST_CASE("what is missing is listed once, for Debian and for RHEL", "[vitis]") {
  const TemporaryFolder tools;
  link_ordinary_tools(tools.file(""));
  for (const char* hidden : {"yosys", "icepack"}) fs::remove(tools.file(hidden));
  for (const std::string setting : {"", "NO_INSTALL=1 "}) {
    const Outcome told = run(unprivileged(tools, setting + "make -s bitstream BOARD=hx8k"));
    INFO(told.text);
    CHECK(told.code != 0);
    CHECK_THAT(told.text, Contains("Debian: ") && Contains(" yosys fpga-icestorm\n") &&
                              Contains("RHEL:   dnf install icestorm yosys"));
    CHECK(told.text.find("missing, and not") == told.text.rfind("missing, and not"));
  }
}

TEST_CASE("the XRT that was set up is the one that is used", "[vitis]") {
  const std::string shown =
      run("make -B -n BUILD=debug XILINX_XRT=/opt/some/xrt build/debug/chainmail-xrt").text;
  INFO(shown);
  CHECK_THAT(shown, Contains("-isystem /opt/some/xrt/include") &&
                        Contains("-L/opt/some/xrt/lib -Wl,-rpath,/opt/some/xrt/lib"));
  CHECK(shown.find("/usr/include/xrt") == std::string::npos);
}

TEST_CASE("a bad verdict leaves what v++ has built", "[vitis]") {
  const TemporaryFolder tools;
  // A v++ that writes what it is told to and whose reports are the samples.
  fs::create_symlink(fs::absolute("tests/vitis/samples/scaling_tool"), tools.file("v++"));
  // A unit count and a topology of this test's own, so that no true build is touched.
  const std::string make = "CALLS=" + tools.file("calls") + " PATH=" + tools.file("") +
                           ":$PATH make -s bitstream BOARD=u250 TOPOLOGY=8x1 CUS=7"
                           " VITIS_VERSION=2023.2 ";
  const fs::path linked = "build/vitis/u250/hls-8x1-7";
  const fs::path object = "build/xo/8x1/u250";
  fs::remove_all(linked);
  fs::remove_all(object);
  const Outcome judged = run(make);
  INFO(judged.text);
  CHECK(judged.code != 0);
  CHECK_THAT(judged.text, Contains("timing is not met") && Contains("ACCEPT_SCALED=1"));
  CHECK(fs::exists(linked / "pbit_burst.link.xclbin"));
  CHECK_FALSE(fs::exists(linked / "pbit_burst.xclbin"));
  CHECK(read_file(tools.file("calls")) == "-c\n-l\n");
  const Outcome accepted = run(make + "ACCEPT_SCALED=1");
  INFO(accepted.text);
  CHECK(accepted.code == 0);
  CHECK(read_file(tools.file("calls")) == "-c\n-l\n-p\n");
  CHECK(fs::exists(linked / "pbit_burst.xclbin"));
  fs::remove_all(linked);
  fs::remove_all(object);
}

TEST_CASE("what the recipes cannot do is refused by name", "[vitis]") {
  CHECK_THAT(run("make -n bitstream BOARD=u55c KERNEL=vhdl").text,
             Contains("KERNEL=vhdl is not hls or rtl"));
  CHECK_THAT(run("make -n bitstream BOARD=u55c VITIS_VERSION=2019.2").text,
             Contains("Vitis 2019.2 is not one of"));
  CHECK_THAT(run("make bitstream BOARD=zcu104").text,
             Contains("zcu104 is not a board") && Contains("u55c"));
}

TEST_CASE("a serial rate that a board cannot receive is refused", "[vitis]") {
  const Outcome fast = run("make ice40-baud-icebreaker BAUD=12000000");
  CHECK(fast.code != 0);
  CHECK_THAT(fast.text, Contains("BAUD=12000000: icebreaker has 2 clocks of 24 MHz for a bit"));
  CHECK(run("make ice40-baud-icebreaker BAUD=5000000").code != 0);  // 4.8 clocks: 20 % off
  CHECK(run("make ice40-baud-icebreaker").code == 0);
  CHECK(run("make ice40-baud-hx8k BAUD=115200").code == 0);
  CHECK_THAT(run("make -n build/bitstream/hx8k.json BAUD=50000000").text, Contains("clocks of"));
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
