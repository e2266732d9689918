// The commands `make bitstream` would run, for every board, kernel and version, from `make -n`; and
// the message on a machine without Vitis.
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>
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
                     const std::string& version, const std::string& topology = "16x2") {
  const Outcome shown = run("make -n bitstream BOARD=" + board + " KERNEL=" + kernel +
                            " TOPOLOGY=" + topology + " CUS=1 VITIS_VERSION=" + version);
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

std::vector<std::string> steps_of(const std::string& board, const std::string& kernel, bool unified,
                                  const std::string& top = "pbit_burst") {
  std::vector<std::string> steps;
  if (kernel == "rtl") {
    steps = {"write_topology kernel-xml " + top, "vivado -mode batch", "package_xo.tcl",
             top + "_core.sv", top + ".v"};
  } else if (unified) {
    steps = {"v++ -c --mode hls", "vitis-run --mode hls --package", "check_reports ii " + top};
  } else {
    steps = {"v++ -c -t hw --platform", "-k " + top, "check_reports ii " + top};
  }
  for (const std::string& step :
       {"write_topology link " + top, std::string("v++ -l -t hw --platform"),
        std::string("--config"), top + ".link.xclbin", std::string("check_reports timing")}) {
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
        // Alveo's scalable clock, by MHz; a Kria's fixed one, by Hz.
        const bool alveo = board != "kv260";
        CHECK((text.find("--kernel_frequency 250") != std::string::npos) == alveo);
        CHECK((text.find("--freqhz 200000000") != std::string::npos) ==
              (!alveo && version >= "2023.2"));
        CHECK((text.find("--clock.defaultFreqHz 200000000") != std::string::npos) ==
              (!alveo && version < "2023.2"));
        if (kernel == "hls")
          CHECK_THAT(text, Contains("-k pbit_burst") && Contains("--save-temps"));
      }
      for (const std::string& version : kUnified) {
        check_order(commands(board, kernel, version), steps_of(board, kernel, true));
      }
    }
  }
}

TEST_CASE("the row kernel has its commands on every board", "[vitis]") {
  for (const std::string& board : kBoards) {
    // TOPOLOGY=rows is the largest that is expected to fit the board.
    const std::string largest = board == "kv260" ? "256-rows-l4" : "1024-rows-l16";
    for (const std::string kernel : {"hls", "rtl"}) {
      for (const std::string version : {"2022.1", "2025.2"}) {
        const std::string text = commands(board, kernel, version, "rows");
        check_order(text, steps_of(board, kernel, version == "2025.2", "pbit_rows"));
        CHECK_THAT(text, Contains("build/topology/" + largest) && !Contains("pbit_burst"));
        // No file of the ring is packed, all of the row kernel's are.
        if (kernel == "rtl")
          CHECK_THAT(text, Contains("rtl/rows/cm_row_lane.sv") && !Contains("cm_sweep_ring") &&
                               !Contains("cm_stage_wiring") && !Contains("rtl/array"));
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

// As root the command runs as nobody; otherwise as the current user.
std::string unprivileged(const TemporaryFolder& tools, const std::string& command) {
  const std::string drop =
      ::getuid() == 0 ? "/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  return drop + "/usr/bin/env -i PATH=" + tools.file("") + " " + command;
}

}  // namespace

TEST_CASE("an ordinary account sees every recipe, and nothing is installed", "[vitis]") {
  const TemporaryFolder tools;
  link_ordinary_tools(tools.file(""));
  for (const std::string board : {"u55c", "u50", "u250", "u280", "kv260", "hx8k", "icebreaker",
                                  "ulx3s", "colorlight_i5", "colorlight_i9"}) {
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
    CHECK_THAT(told.text, Contains("Debian: ") && Contains(" yosys ") &&
                              Contains(" fpga-icestorm\n") &&
                              Contains("RHEL:   dnf install icestorm ") && Contains(" yosys"));
    CHECK(told.text.find("missing, and not") == told.text.rfind("missing, and not"));
  }
}

TEST_CASE("ECP5 tools that are missing are named, and parts that a board has not", "[vitis]") {
  const TemporaryFolder tools;
  link_ordinary_tools(tools.file(""));
  for (const char* hidden : {"nextpnr-ecp5", "ecppack"}) fs::remove(tools.file(hidden));
  const Outcome told = run(unprivileged(tools, "make -s bitstream BOARD=ulx3s"));
  INFO(told.text);
  CHECK(told.code != 0);
  CHECK_THAT(told.text,
             Contains(" nextpnr-ecp5 fpga-trellis\n") && Contains("RHEL:   dnf install "));
  CHECK_THAT(run("make -n bitstream BOARD=ulx3s PART=12f").text,
             Contains("PART=12f is not a part of BOARD=ulx3s: 25f, 45f or 85f"));
}

TEST_CASE("nextpnr gets another seed where timing failed, and nowhere else", "[vitis]") {
  // Stands for nextpnr: seed 3 meets the clock.
  const TemporaryFolder folder;
  const std::string tool = folder.file("nextpnr"), calls = folder.file("calls");
  write_file(tool, R"sh(#!/usr/bin/env bash
echo "$*" >> "$CALLS"
if [ "$1" = full ]; then echo 'ERROR: Unable to place cell'; exit 1; fi
[ "$3" = 3 ] && exit
echo "ERROR: Max frequency for clock 'clk': 23.90 MHz (FAIL at 24.00 MHz)"
exit 1
)sh");
  fs::permissions(tool, fs::perms(0755));
  const auto route = [&](const std::string& seeds, const std::string& how) {
    write_file(calls, "");
    return run("CALLS=" + calls + " constraints/route " + folder.file("log") + " '" + seeds + "' " +
               tool + " " + how);
  };
  CHECK(route("1 2 3 4", "fits").code == 0);
  CHECK(read_file(calls) == "fits --seed 1\nfits --seed 2\nfits --seed 3\n");
  const Outcome slow = route("1 2", "fits");
  CHECK(slow.code == 1);
  CHECK_THAT(slow.text, Contains("23.90 MHz (FAIL"));
  const Outcome full = route("1 2 3", "full");
  CHECK(full.code == 1);
  CHECK_THAT(full.text, Contains("Unable to place cell"));
  CHECK(read_file(calls) == "full --seed 1\n");
}

TEST_CASE("the XRT that was set up is the one that is used", "[vitis]") {
  const std::string shown =
      run("make -B -n BUILD=debug XILINX_XRT=/opt/some/xrt build/debug/chainmail-xrt").text;
  INFO(shown);
  CHECK_THAT(shown, Contains("-isystem /opt/some/xrt/include") &&
                        Contains("-L/opt/some/xrt/lib -Wl,-rpath,/opt/some/xrt/lib"));
  CHECK(shown.find("/usr/include/xrt") == std::string::npos);
}

namespace {

// A whole `make bitstream` with stand-ins for AMD's tools (tests/vitis/tools). The unit count and
// topology are this test's own, so that no real build is touched.
class FakeBuild {
 public:
  FakeBuild(const std::string& board, const std::string& kernel, const std::string& version,
            const std::string& units, const std::string& topology = "8x1")
      : make_("PATH=" + fs::absolute("tests/vitis/tools").string() +
              ":$PATH make -s bitstream BOARD=" + board + " KERNEL=" + kernel +
              " TOPOLOGY=" + topology + " CUS=" + units + " VITIS_VERSION=" + version + " "),
        linked_("build/vitis/" + board + "/" + kernel + "-" + topology + "-" + units),
        object_("build/xo/" + topology + "/" + board) {
    clear();
  }
  ~FakeBuild() { clear(); }
  FakeBuild(const FakeBuild&) = delete;
  FakeBuild& operator=(const FakeBuild&) = delete;

  Outcome operator()(const std::string& how, const std::string& more = {}) {
    write_file(calls_.file("calls"), "");
    return run("FAKE_CASE=" + how + " CALLS=" + calls_.file("calls") + " " + make_ + more);
  }
  // The tools that ran, without their arguments but the step of v++.
  std::string steps() const {
    std::string steps, line;
    std::istringstream lines(read_file(calls_.file("calls")));
    while (std::getline(lines, line)) {
      const std::string tool = line.substr(0, line.find(' '));
      if (tool == "platforminfo") continue;
      steps += (steps.empty() ? "" : " ") + (tool == "v++" ? line.substr(4, 2) : tool);
    }
    return steps;
  }
  bool has(const std::string& name) const { return fs::exists(linked_ / name); }
  std::string text(const std::string& name) const { return read_file((linked_ / name).string()); }
  void unlink() const { fs::remove_all(linked_); }

 private:
  void clear() {
    unlink();
    fs::remove_all(object_);
  }
  TemporaryFolder calls_;
  std::string make_;
  fs::path linked_, object_;
};

}  // namespace

TEST_CASE("a good build runs from kernel to xclbin", "[vitis]") {
  struct Way {
    std::string board, kernel, version, steps, topology = "8x1", top = "pbit_burst";
  };
  for (const Way& way : {Way{"u55c", "hls", "2023.2", "-c -l -p"},
                         Way{"u55c", "hls", "2025.2", "-c vitis-run -l -p"},
                         Way{"u50", "rtl", "2022.1", "vivado -l -p"},
                         Way{"kv260", "hls", "2024.2", "-c vitis-run -l xclbinutil bootgen"},
                         Way{"u55c", "hls", "2023.2", "-c -l -p", "40-rows-l2", "pbit_rows"},
                         Way{"u280", "rtl", "2025.2", "vivado -l -p", "40-rows-l2", "pbit_rows"},
                         Way{"kv260", "hls", "2024.2", "-c vitis-run -l xclbinutil bootgen",
                             "40-rows-l2", "pbit_rows"}}) {
    FakeBuild build(way.board, way.kernel, way.version, "3", way.topology);
    const Outcome built = build("good");
    INFO(way.board << " " << way.kernel << " " << way.version << "\n" << built.text);
    CHECK(built.code == 0);
    CHECK(build.steps() == way.steps);
    CHECK(build.has(way.top + ".xclbin"));
    CHECK(build.has(way.top + ".bit.bin") == (way.board == "kv260"));
    CHECK_THAT(build.text("link.cfg"), Contains("nk=" + way.top + ":3"));
    // Nothing is built twice.
    CHECK(build("good").code == 0);
    CHECK(build.steps().empty());
  }
}

TEST_CASE("a board gets an array that fits by default", "[vitis]") {
  for (const auto& [board, topology] : {std::pair{"kv260", "64x3"}, {"u55c", "100x3"}}) {
    const Outcome shown = run(std::string("make -n bitstream VITIS_VERSION=2024.2 BOARD=") + board);
    CHECK(shown.code == 0);
    CHECK_THAT(shown.text, Contains(std::string("build/topology/") + topology));
  }
}

TEST_CASE("a missed interval ends the build before the link", "[vitis]") {
  for (const std::string version : {"2023.2", "2024.2"}) {
    for (const auto& [topology, loop] :
         {std::pair<std::string, std::string>{"8x1", "Ring_Slots"}, {"40-rows-l2", "Pass_Slots"}}) {
      FakeBuild build("u250", "hls", version, "7", topology);
      const Outcome judged = build("ii2");
      INFO(judged.text);
      CHECK(judged.code != 0);
      CHECK_THAT(judged.text, Contains(loop + " has II = 2, expected 1"));
      CHECK_THAT(build.steps(), !Contains("-l"));
      CHECK_FALSE(build.has("pbit_burst.link.xclbin"));
      CHECK_FALSE(build.has("pbit_rows.link.xclbin"));
    }
  }
}

TEST_CASE("a bad verdict leaves what v++ has built", "[vitis]") {
  FakeBuild build("u250", "hls", "2023.2", "7");
  const Outcome judged = build("scaled");
  INFO(judged.text);
  CHECK(judged.code != 0);
  CHECK_THAT(judged.text, Contains("timing is not met") && Contains("ACCEPT_SCALED=1"));
  CHECK(build.has("pbit_burst.link.xclbin"));
  CHECK_FALSE(build.has("pbit_burst.xclbin"));
  CHECK(build.steps() == "-c -l");
  const Outcome accepted = build("scaled", "ACCEPT_SCALED=1");
  INFO(accepted.text);
  CHECK(accepted.code == 0);
  CHECK(build.steps() == "-p");
  CHECK(build.has("pbit_burst.xclbin"));
}

TEST_CASE("no lower clock mends hold", "[vitis]") {
  FakeBuild build("u280", "hls", "2023.2", "5");
  const Outcome judged = build("hold", "ACCEPT_SCALED=1");
  INFO(judged.text);
  CHECK(judged.code != 0);
  CHECK_THAT(judged.text, Contains("WHS = -0.045 ns"));
  CHECK_FALSE(build.has("pbit_burst.xclbin"));
}

TEST_CASE("buffers may lie in the host's memory", "[vitis]") {
  FakeBuild build("u55c", "hls", "2023.2", "4");
  const Outcome built = build("good", "BUFFERS=host");
  INFO(built.text);
  CHECK(built.code == 0);
  CHECK_THAT(build.text("link.cfg"), Contains("sp=pbit_burst_4.status:HOST[0]") &&
                                         !Contains("HBM") && Contains("slr=pbit_burst_4:SLR2"));
  build.unlink();
  CHECK_THAT(build("good", "BUFFERS=elsewhere").text, Contains("expected card or host"));
}

TEST_CASE("a platform that is not installed is told before anything is built", "[vitis]") {
  FakeBuild build("u50", "hls", "2023.2", "2");
  const Outcome told = build("good", "PLATFORM=xilinx_none");
  INFO(told.text);
  CHECK(told.code != 0);
  CHECK_THAT(told.text, Contains("the platform xilinx_none is not installed"));
  CHECK(build.steps().empty());
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
  const Outcome fast = run("make baud-icebreaker BAUD=12000000");
  CHECK(fast.code != 0);
  CHECK_THAT(fast.text, Contains("BAUD=12000000: icebreaker has 2 clocks of 24 MHz for a bit"));
  CHECK(run("make baud-icebreaker BAUD=5000000").code != 0);  // 4.8 clocks: 4 % off
  CHECK(run("make baud-icebreaker").code == 0);
  CHECK(run("make baud-hx8k BAUD=115200").code == 0);
  CHECK(run("make baud-ulx3s-25f").code == 0);
  CHECK_THAT(run("make -n build/bitstream/hx8k.json BAUD=50000000").text, Contains("clocks of"));
}

TEST_CASE("the bitstream of an iCE40 board is what its report is about", "[vitis]") {
  for (const std::string board : {"hx8k", "icebreaker"}) {
    CHECK_THAT(
        run("make -n bitstream BOARD=" + board).text,
        Contains(fmt::format("icepack build/bitstream/{0}.asc build/bitstream/{0}.bin\n", board)) &&
            Contains(fmt::format("nextpnr_report build/bitstream/{}.bin ", board)));
  }
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
