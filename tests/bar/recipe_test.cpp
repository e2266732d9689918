// What `make bitstream BOARD=f2` leaves is what AWS's HDK takes: the folder is read by Verilator
// and tclsh here, and built by stand-ins for the HDK's script and Vivado.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"

namespace chainmail::test {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

// As much of an HDK as the recipe and the scripts it calls look at. $FAKE_CASE: good, violated or
// broken.
struct FakeHdk {
  TemporaryFolder folder;
  FakeHdk() {
    fs::create_directories(folder.path / "build/scripts");
    fs::create_directories(folder.path / "bin");
    for (const char* name : {"build_all.tcl", "build_level_1_cl.tcl", "encrypt.tcl"})
      write_file(folder.file(std::string("build/scripts/") + name), "\n");
    script("build/scripts/synth_cl_header.tcl",
           "proc read_verilog {args} { puts \"read [lindex $args end]\" }\n"
           "proc synth_design {args} { puts \"synth $args\" }\n");
    script("build/scripts/synth_cl_footer.tcl", "puts footer\n");
    script("bin/vivado", "#!/bin/bash\n");
    // The real one wants to run in the custom logic's folder, which has the logic's name, and takes
    // the ids from its design.
    script("build/scripts/aws_build_dcp_from_cl.py", R"SH(#!/bin/bash
set -eu
[ "$1 $2 $3" = "-c cl_chainmail -t" ]
[ "$(basename "$CL_DIR")" = "$2" ]
[ "$PWD" = "$CL_DIR/build/scripts" ]
for file in scripts/synth_$2.tcl scripts/build_all.tcl constraints/small_shell_cl_pnr_user.xdc; do
  [ -e "../$file" ]
done
[ -e "../../design/$2.sv" ]
grep -qE "^\s*.define\s*CL_SH_ID0 +32'h[0-9A-F]{4}_[0-9A-F]{4}$" "$CL_DIR/design/cl_id_defines.vh"
mkdir -p ../checkpoints
[ "${FAKE_CASE:-good}" != good ] || touch "../checkpoints/$2.$4.post_route.dcp"
[ "${FAKE_CASE:-good}" != violated ] || touch "../checkpoints/$2.$4.post_route.VIOLATED.dcp"
touch "../checkpoints/$4.Developer_CL.tar"
)SH");
  }
  void script(const std::string& name, const std::string& text) const {
    write_file(folder.file(name), text);
    fs::permissions(folder.path / name, fs::perms(0755));
  }
  Outcome make(const std::string& topology, const std::string& more = "") const {
    return run("export HDK_SHELL_DIR=" + folder.path.string() + " PATH=" + folder.file("bin") +
               ":$PATH " + more + "; make -s bitstream BOARD=f2 TOPOLOGY=" + topology);
  }
};

std::string laid_out(const std::string& topology) {
  return "build/f2/" + topology + "/cl_chainmail";
}

}  // namespace

TEST_CASE("The commands for F2 are the HDK's", "[bar]") {
  const Outcome shown = run("make -n bitstream BOARD=f2 TOPOLOGY=16x2");
  CHECK(shown.code == 0);
  CHECK_THAT(shown.text, Contains("rtl/bar/cl_chainmail.sv") &&
                             Contains("s/@KERNEL@/pbit_burst/") &&
                             Contains("./aws_build_dcp_from_cl.py -c cl_chainmail"));
  CHECK_THAT(shown.text, !Contains("rtl/flips") && !Contains("rtl/rows") && !Contains("v++"));
  CHECK_THAT(run("make -n bitstream BOARD=f2").text,
             Contains("build/topology/100x3/cm_bar_pkg.sv"));
}

TEST_CASE("Without HDK or Vivado the folder is there, and one line says what is missing", "[bar]") {
  for (const char* hdk : {"unset HDK_SHELL_DIR", "export HDK_SHELL_DIR=/nowhere"}) {
    const Outcome told =
        run(std::string(hdk) + "; make -s bitstream BOARD=f2 TOPOLOGY=8x3-b17-r64");
    INFO(told.text);
    CHECK(told.code != 0);
    CHECK_THAT(told.text, Contains("AWS's HDK is missing: HDK_SHELL_DIR has no build/scripts/"));
    CHECK(told.text.find("make: ***") == told.text.find('\n') + 1);
  }
  const FakeHdk hdk;
  fs::remove(hdk.folder.path / "bin/vivado");
  if (run("command -v vivado").code != 0)
    CHECK_THAT(hdk.make("8x3-b17-r64").text, Contains("Vivado is missing from the PATH"));
  const Outcome rows = run("make -s bitstream BOARD=f2 TOPOLOGY=16-rows");
  CHECK(rows.code != 0);
  CHECK_THAT(rows.text, Contains("BOARD=f2 holds rings and flip kernels"));
}

TEST_CASE("The folder for the HDK is complete", "[bar]") {
  const FakeHdk hdk;
  for (const std::string topology : {"8x3-b17-r64", "16-flips"}) {
    run("make -s bitstream BOARD=f2 TOPOLOGY=" + topology);
    const std::string design = laid_out(topology) + "/design";
    const std::string kernel = topology == "16-flips" ? "pbit_flips" : "pbit_burst";
    // Nothing but these files and the HDK's, for which ours stand.
    const Outcome read =
        run(fmt::format("verilator --lint-only -Wall --top-module cl_chainmail -Isim/bar/hdk -I{0} "
                        "-DCM_KERNEL={1} {0}/*_pkg.sv {0}/cl_chainmail.sv",
                        design, kernel));
    CHECK_THAT(read.text, Catch::Equals(""));
    const std::string script = hdk.folder.file("run.tcl");
    write_file(script, "set HDK_SHELL_DIR " + hdk.folder.path.string() + "\nset src_post_enc_dir " +
                           design + "\nset CL cl_chainmail\nset DEVICE_TYPE part\nsource " +
                           laid_out(topology) + "/build/scripts/synth_cl_chainmail.tcl\n");
    const Outcome tcl = run("tclsh " + script);
    INFO(tcl.text);
    CHECK(tcl.code == 0);
    // Packages first, every module once, then this kernel.
    CHECK(tcl.text.starts_with(
        fmt::format("read {0}/cm_bar_pkg.sv {0}/cm_pkg.sv {0}/topology_pkg.sv\n", design)));
    const auto sources = std::count(tcl.text.begin(), tcl.text.end(), '\n') - 3;  // packages, end
    const Outcome modules = run("ls " + design + "/*.sv | grep -vc _pkg.sv");
    CHECK(std::to_string(sources) + "\n" == modules.text);
    CHECK_THAT(tcl.text, Contains("-top cl_chainmail -part part") &&
                             Contains("CM_KERNEL=" + kernel + "\nfooter"));
  }
}

TEST_CASE("A build for F2 ends as Vivado did", "[bar]") {
  const FakeHdk hdk;
  const std::string dcp = laid_out("8x3-b17-r64") + "/build/checkpoints";
  fs::remove_all(dcp);
  for (const char* bad : {"violated", "broken"}) {
    const Outcome told = hdk.make("8x3-b17-r64", std::string("FAKE_CASE=") + bad);
    INFO(told.text);
    CHECK(told.code != 0);
    CHECK_THAT(told.text, Contains("Vivado did not finish, or missed 250 MHz"));
  }
  const Outcome good = hdk.make("8x3-b17-r64");
  INFO(good.text);
  CHECK(good.code == 0);
  CHECK_THAT(good.text, Contains("build/checkpoints/chainmail.Developer_CL.tar"));
  // What is built is not built again.
  CHECK(hdk.make("8x3-b17-r64", "FAKE_CASE=broken").code == 0);
  fs::remove_all(dcp);
}

}  // namespace chainmail::test
