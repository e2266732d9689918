// The RTL kernel as Vitis gets it: kernel.xml against the register map and the RTL's own ports, the
// Verilog top, and the packaging script run in tclsh with Vivado's commands recorded.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"
#include "topology/contract.hpp"
#include "topology/rtl_package.hpp"
#include "topology/topology.hpp"
#include "topology/vitis_files.hpp"

using namespace chainmail;

namespace {

std::string xpath(const TemporaryFolder& folder, const std::string& expression) {
  const test::Outcome found =
      test::run("xmllint --xpath 'string(" + expression + ")' " + folder.file("kernel.xml"));
  INFO(found.text);
  REQUIRE(found.code == 0);
  return found.text.substr(0, found.text.find('\n'));
}

std::uint64_t hex(const std::string& text) {
  return std::stoull(text, nullptr, 16);
}

}  // namespace

TEST_CASE("kernel.xml agrees with the register map and the RTL", "[vitis]") {
  const auto [name, source] =
      GENERATE(table<std::string, std::string>({{"pbit_burst", "rtl/array/pbit_burst.sv"},
                                                {"pbit_rows", "rtl/rows/pbit_rows.sv"},
                                                {"pbit_flips", "rtl/flips/pbit_flips.sv"}}));
  const bool rows = name == "pbit_rows";
  const TemporaryFolder folder;
  write_file(folder.file("kernel.xml"), kernel_xml(name));
  CHECK(xpath(folder, "/root/kernel/@name") == name);
  CHECK(xpath(folder, "/root/kernel/@vlnv") == "chainmail:kernel:" + name + ":1.0");
  CHECK(xpath(folder, "/root/kernel/@hwControlProtocol") == "ap_ctrl_hs");
  CHECK(xpath(folder, "count(//arg)") == std::to_string(contract::kArguments.size()));
  std::uint64_t end = contract::kInterruptStatus + 4;
  for (std::size_t i = 0; i < contract::kArguments.size(); ++i) {
    const contract::Argument& argument = contract::kArguments[i];
    const std::string arg = "//arg[@name=\"" + std::string(argument.name) + "\"]/@";
    INFO(argument.name);
    CHECK(xpath(folder, arg + "id") == std::to_string(i));
    CHECK(hex(xpath(folder, arg + "offset")) == argument.offset);
    CHECK(hex(xpath(folder, arg + "size")) * 8 == argument.bits);
    CHECK(hex(xpath(folder, arg + "hostSize")) * 8 == argument.bits);
    CHECK(xpath(folder, arg + "addressQualifier") == (argument.pointer ? "1" : "0"));
    const bool streams = rows && i == 0;  // tables
    CHECK(xpath(folder, arg + "port") == (streams            ? "m_axi_rows"
                                          : argument.pointer ? "m_axi_gmem"
                                                             : "s_axi_control"));
    // Registers do not overlap.
    CHECK(argument.offset >= end);
    end = argument.offset + argument.bits / 8;
  }
  // Ports, their widths and ranges, as the SystemVerilog has them.
  const std::string rtl = read_file(source);
  std::smatch width;
  REQUIRE(std::regex_search(rtl, width, std::regex(R"(\[(\d+):0\] +s_axi_control_awaddr)")));
  CHECK(hex(xpath(folder, "//port[@name=\"s_axi_control\"]/@range")) ==
        std::uint64_t{2} << std::stoul(width[1]));
  std::size_t masters = 0;
  for (const std::string port : {"m_axi_gmem", "m_axi_rows"}) {
    const std::string stated = xpath(folder, "//port[@name=\"" + port + "\"]/@dataWidth");
    const bool has =
        std::regex_search(rtl, width, std::regex(R"(\[(\d+):0\] +)" + port + "_rdata"));
    CHECK(stated == (has ? std::to_string(std::stoul(width[1]) + 1) : ""));
    masters += has ? 1 : 0;
  }
  CHECK(masters == (rows ? 2 : 1));
  CHECK_THROWS_WITH(kernel_xml("pbit_other"), Catch::Contains("'pbit_other' is not a kernel"));
}

TEST_CASE("the RTL's package says what its name says", "[vitis]") {
  // Sizes by hand, from docs/kernel.md and docs/rows.md.
  using Numbers = std::vector<std::pair<std::string, int>>;
  const auto [name, numbers] = GENERATE(
      table<std::string, Numbers>({{"5x2", {{"Pbits", 10}, {"Colours", 2}, {"StateWords", 1}}},
                                   {"64-flips-w64",
                                    {{"Pbits", 64},
                                     {"Lanes", 64},
                                     {"MaxReplicas", 32},
                                     {"ImageWords", 578},
                                     {"LeftOutBit", 48},
                                     {"StateWords", 1}}},
                                   {"16-rows",
                                    {{"Pbits", 16},
                                     {"Lanes", 1},
                                     {"Groups", 4},
                                     {"RowBeats", 1},
                                     {"TreeLevels", 2},
                                     {"PassDepth", 11},
                                     {"Forms", 0},
                                     {"Products", 0},
                                     {"OneHots", 0},
                                     {"HeadBeats", 1},
                                     {"Constrained", 0}}},
                                   {"100-rows-l8-f2-p-g",
                                    {{"Pbits", 100},
                                     {"Lanes", 8},
                                     {"LaneReplicas", 64},
                                     {"Groups", 20},
                                     {"RowBeats", 4},
                                     {"Forms", 2},
                                     {"Products", 1},
                                     {"OneHots", 1},
                                     {"Constrained", 1},
                                     {"StateWords", 2}}},
                                   {"1024-rows-l16-f4",
                                    {{"Pbits", 1024},
                                     {"Lanes", 16},
                                     {"Groups", 205},
                                     {"RowBeats", 35},
                                     {"TreeLevels", 8},
                                     {"PassDepth", 17},
                                     {"Forms", 4},
                                     {"StateWords", 16},
                                     {"Constrained", 1}}}}));
  const std::string text = rtl_package(topology_from_name(name));
  INFO(name);
  CHECK_THAT(text, Catch::StartsWith("// Topology " + name + ","));
  for (const auto& [key, value] : numbers) {
    CHECK_THAT(text, Catch::Contains(fmt::format("parameter int unsigned {} = {};\n", key, value)));
  }
}

TEST_CASE("the Verilog top has the kernel's ports and no SystemVerilog", "[vitis]") {
  const std::string source =
      GENERATE("rtl/array/pbit_burst.sv", "rtl/rows/pbit_rows.sv", "rtl/flips/pbit_flips.sv");
  const std::string name = std::filesystem::path(source).stem();
  const test::Outcome top = test::run("constraints/verilog_top " + source);
  CHECK(top.code == 0);
  CHECK_THAT(top.text, Catch::Contains("\nmodule " + name + " (") &&
                           Catch::Contains("\n  " + name + "_core core ("));
  const std::string rtl = read_file(source);
  const std::regex port(R"(\n *(input|output) +(?:wire +)?logic +(\[\d+:0\])? *(\w+))");
  std::size_t ports = 0;
  for (std::sregex_iterator it(rtl.begin(), rtl.end(), port), end; it != end; ++it, ++ports) {
    const std::string wire = (*it)[3];
    const std::regex declared((*it)[1].str() + " +wire +" +
                              std::regex_replace((*it)[2].str(), std::regex(R"([\[\]])"), "\\$&") +
                              " *" + wire + "\\b");
    INFO(wire);
    CHECK(std::regex_search(top.text, declared));
    CHECK_THAT(top.text, Catch::Contains(fmt::format(".{0}({0})", wire)));
  }
  CHECK(ports > 40);
  CHECK(top.text.find("logic") == std::string::npos);
  CHECK(test::run("constraints/verilog_top constraints/u50.cfg").code != 0);
}

TEST_CASE("the packaging script runs in tclsh to its last command", "[vitis]") {
  const std::string kernel = GENERATE("pbit_burst", "pbit_rows", "pbit_flips");
  const TemporaryFolder folder;
  write_file(folder.file("k.xml"), kernel_xml(kernel));
  // tclsh does not know Vivado's commands: each is recorded, and returns its own words.
  write_file(folder.file("run.tcl"),
             "proc unknown {args} { puts $args; return $args }\n"
             "set script [lindex $argv 0]\nset argv [lrange $argv 1 end]\nsource $script\n");
  const std::string tclsh = "tclsh " + folder.file("run.tcl") + " constraints/package_xo.tcl ";
  const test::Outcome ran =
      test::run(tclsh + "xcu50-fsvh2104-2-e " + folder.file("k.xml") + " out/" + kernel + ".xo " +
                folder.file("work") + " a.sv b.v");
  INFO(ran.text);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.text, Catch::Contains("-part xcu50-fsvh2104-2-e") &&
                           Catch::Contains("add_files -norecurse {a.sv b.v}") &&
                           Catch::Contains("ipx::associate_bus_interfaces -busif s_axi_control") &&
                           Catch::Contains("ipx::associate_bus_interfaces -busif m_axi_gmem") &&
                           Catch::Contains("set_property top " + kernel));
  CHECK((ran.text.find("-busif m_axi_rows") != std::string::npos) == (kernel == "pbit_rows"));
  // The object is packed last, from the IP just made, under the name and version of kernel.xml.
  const std::string last = "package_xo -force -kernel_name " + kernel + " -ip_directory " +
                           folder.file("work") + "/ip -kernel_xml " + folder.file("k.xml") +
                           " -xo_path out/" + kernel + ".xo\n";
  CHECK(ran.text.ends_with(last));
  CHECK_THAT(ran.text, Catch::Contains("-vendor chainmail -library kernel"));
  CHECK(test::run(tclsh + "too few words").code != 0);
}
