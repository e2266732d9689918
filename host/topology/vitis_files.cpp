#include "topology/vitis_files.hpp"

#include <algorithm>
#include <sstream>

#include "support/error.hpp"
#include "support/text.hpp"
#include "topology/contract.hpp"
#include "topology/rows_contract.hpp"

namespace chainmail {

namespace {

const std::string kUnit = "@KERNEL@_";
const std::string kRowKernel = "pbit_rows";

std::string type_of(const contract::Argument& argument) {
  if (argument.pointer) return "unsigned long long*";
  return argument.bits == 64 ? "unsigned long long" : "unsigned int";
}

// The compute unit a line of [connectivity] is about, 0 if about none.
std::size_t unit_of(const std::string& line) {
  const std::size_t at = line.find("=" + kUnit);
  if (at == std::string::npos || line[0] == '#') return 0;
  return std::stoul(line.substr(at + 1 + kUnit.size()));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

void require_kernel(const std::string& kernel) {
  if (kernel != "pbit_burst" && kernel != kRowKernel && kernel != "pbit_flips")
    throw UsageError(joined("'", kernel, "' is not a kernel, expected pbit_burst, ", kRowKernel,
                            " or pbit_flips"));
}

// The row kernel's image streams over its own bus.
bool streams(const std::string& kernel, const contract::Argument& argument) {
  return kernel == kRowKernel && argument.name == std::string("tables");
}

// A line of the board file for every pointer argument; in the host's memory if requested, except
// for what streams all the time: the host's bus is too slow for it.
std::string for_all_arguments(const std::string& line, const std::string& kernel, bool in_host) {
  const std::string place = "@ARGUMENT@";
  if (line.find(place) == std::string::npos) return line + "\n";
  const std::string host = line.substr(0, line.find(':')) + ":HOST[0]";
  std::string lines;
  for (const contract::Argument& argument : contract::kArguments) {
    if (!argument.pointer) continue;
    const bool moves = in_host && !streams(kernel, argument);
    lines += replaced(moves ? host : line, place, argument.name) + "\n";
  }
  return lines;
}

std::string xml_port(const std::string& name, unsigned bits) {
  return joined("      <port name=\"", name,
                "\" mode=\"master\" range=\"0xFFFFFFFFFFFFFFFF\" dataWidth=\"", bits,
                "\" portType=\"addressable\" base=\"0x0\"/>\n");
}

// The value of a key of a [board] section; it must be a number where `number`.
std::string board_fact(const std::string& file, const std::string& text, const std::string& key,
                       bool number) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line) && line != "[connectivity]") {
    if (!line.starts_with(key + "=")) continue;
    std::string value = line.substr(key.size() + 1);
    const bool digits = value.find_first_not_of("0123456789.") == std::string::npos;
    if (!value.empty() && (digits || !number)) return value;
    throw InputError(
        joined(file, ": ", key, "= is '", value, "', expected ", number ? "a number" : "a name"));
  }
  throw InputError(joined(file, ": no ", key, "= in its [board] section"));
}

}  // namespace

std::string board_table(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string text =
      "#include \"device/xrt/board_facts.hpp\"\n\n"
      "const std::vector<chainmail::BoardFacts>& chainmail::known_boards() {\n"
      "  static const std::vector<BoardFacts> boards{\n";
  for (const auto& [file, content] : files) {
    const std::size_t slash = file.rfind('/') + 1;
    const std::string name = file.substr(slash, file.rfind('.') - slash);
    text += joined("      {\"", name, "\", \"", board_fact(file, content, "device", false), "\", {",
                   board_fact(file, content, "launch_us", true), ", ",
                   board_fact(file, content, "sync_us", true), ", ",
                   board_fact(file, content, "frequency", true), ", 1}},\n");
  }
  return text + "  };\n  return boards;\n}\n";
}

std::string kernel_xml(const std::string& kernel) {
  require_kernel(kernel);
  std::string xml = replaced(replaced(R"(<?xml version="1.0" encoding="UTF-8"?>
<root versionMajor="1" versionMinor="6">
  <kernel name="@KERNEL@" language="ip_c" vlnv="chainmail:kernel:@KERNEL@:1.0" attributes="" preferredWorkGroupSizeMultiple="0" workGroupSize="1" interrupt="true" hwControlProtocol="ap_ctrl_hs">
    <ports>
      <port name="s_axi_control" mode="slave" range="0x1000" dataWidth="32" portType="addressable" base="0x0"/>
)",
                                      "@KERNEL@", kernel),
                             "@KERNEL@", kernel);
  xml += xml_port("m_axi_gmem", 64);
  if (kernel == kRowKernel)
    xml += xml_port("m_axi_rows", 64 * static_cast<unsigned>(rows_contract::kBeatWords));
  xml += "    </ports>\n    <args>\n";
  std::size_t id = 0;
  for (const contract::Argument& argument : contract::kArguments) {
    const std::string size = "0x" + hex(argument.bits / 8);
    const char* master = streams(kernel, argument) ? "m_axi_rows" : "m_axi_gmem";
    xml += joined("      <arg name=\"", argument.name, "\" addressQualifier=\"",
                  argument.pointer ? "1" : "0", "\" id=\"", id++, "\" port=\"",
                  argument.pointer ? master : "s_axi_control", "\" size=\"", size, "\" offset=\"0x",
                  hex(argument.offset), "\" type=\"", type_of(argument),
                  "\" hostOffset=\"0x0\" hostSize=\"", size, "\"/>\n");
  }
  return xml + "    </args>\n  </kernel>\n</root>\n";
}

std::string link_config(const std::string& file, const std::string& text, std::size_t units,
                        const std::string& buffers, const std::string& kernel) {
  require_kernel(kernel);
  if (buffers != "card" && buffers != "host") {
    throw InputError(joined(file, ": buffers are '", buffers, "', expected card or host"));
  }
  std::string config, line;
  std::size_t placed = 0;
  bool about_board = false;
  std::istringstream lines(text);
  while (std::getline(lines, line)) {
    if (line.starts_with("[")) about_board = line == "[board]";
    const std::size_t unit = unit_of(line);
    placed = std::max(placed, unit);
    if (about_board || line.empty() || line.starts_with("#") || unit > units) continue;
    line = replaced(replaced(line, "@CUS@", std::to_string(units)), "@KERNEL@", kernel);
    config += for_all_arguments(line, kernel, buffers == "host");
  }
  if (units == 0 || units > placed) {
    throw InputError(
        joined(file, ": places 1 to ", placed, " compute units, ", units, " were asked for"));
  }
  return config;
}

}  // namespace chainmail
