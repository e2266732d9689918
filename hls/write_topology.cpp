// Build tool: writes what kernels are compiled from.
//   write_topology hls NAME          the HLS header of a topology
//   write_topology rtl NAME          the RTL package of a topology
//   write_topology wiring NAME       the RTL module of its wires
//   write_topology bar NAME          the RTL package of a kernel behind two windows (rtl/bar)
//   write_topology edges NAME        the edges a graph topology is wired for
//   write_topology registry NAME...  the table of the kernels linked into the host program
//   write_topology boards FILE...    the table of board files for the host program
//   write_topology kernel-xml KERNEL the metadata of an RTL kernel for Vitis
//   write_topology link KERNEL FILE UNITS [card|host]  the configuration that links so many compute
//                                    units for a board, buffers in its memory or in the host's
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "topology/bar_window.hpp"
#include "topology/hls_header.hpp"
#include "topology/rtl_package.hpp"
#include "topology/vitis_files.hpp"

namespace {

// Graphs to build kernels for; make looks there too (hls/hls.mk).
std::string edges_of(const std::string& name) {
  if (!chainmail::is_graph(name)) return "";
  const std::size_t mark = name.find('-', name.find('-') + 1);
  return chainmail::read_file("hls/graphs/" + name.substr(0, name.find('-', mark + 1)) + ".edges");
}

chainmail::Topology topology(const std::string& name) {
  return chainmail::topology_from_name(name, edges_of(name));
}

std::string symbol(std::string name) {
  const std::string kernel = chainmail::kernel_function(topology(name).options);
  std::replace(name.begin(), name.end(), '-', '_');
  return kernel + "_" + name;
}

std::string registry(const std::vector<std::string>& names) {
  std::string text = "#include \"device/kernel/native_kernel.hpp\"\n\n";
  for (const std::string& name : names) {
    text += "extern \"C\" chainmail::BurstFunction " + symbol(name) + ";\n";
  }
  text +=
      "\nconst std::vector<chainmail::NativeKernel>& chainmail::native_kernels() {\n"
      "  static const std::vector<NativeKernel> kernels{\n";
  for (const std::string& name : names) {
    text += "      {\"" + name + "\", &" + symbol(name) + ", R\"(" + edges_of(name) + ")\"},\n";
  }
  return text + "  };\n  return kernels;\n}\n";
}

std::size_t number(const std::string& text) {
  const bool digits = !text.empty() && text.size() <= 3 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) throw chainmail::UsageError("CUS=" + text + " is not a number of compute units");
  return std::stoul(text);
}

std::string write(const std::vector<std::string>& arguments) {
  if (arguments.size() >= 2 && arguments[0] == "registry") {
    return registry({arguments.begin() + 1, arguments.end()});
  }
  if (arguments.size() == 2 && arguments[0] == "hls") {
    return chainmail::hls_header(topology(arguments[1]));
  }
  if (arguments.size() == 2 && arguments[0] == "rtl") {
    return chainmail::rtl_package(topology(arguments[1]));
  }
  if (arguments.size() == 2 && arguments[0] == "wiring") {
    return chainmail::rtl_wiring(topology(arguments[1]));
  }
  if (arguments.size() == 2 && arguments[0] == "bar") {
    return chainmail::bar_window::package(topology(arguments[1]));
  }
  if (arguments.size() == 2 && arguments[0] == "edges") return edges_of(arguments[1]);
  if (arguments.size() >= 2 && arguments[0] == "boards") {
    std::vector<std::pair<std::string, std::string>> files;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      files.emplace_back(arguments[i], chainmail::read_file(arguments[i]));
    }
    return chainmail::board_table(files);
  }
  if (arguments.size() == 2 && arguments[0] == "kernel-xml") {
    return chainmail::kernel_xml(arguments[1]);
  }
  if ((arguments.size() == 4 || arguments.size() == 5) && arguments[0] == "link") {
    return chainmail::link_config(arguments[2], chainmail::read_file(arguments[2]),
                                  number(arguments[3]),
                                  arguments.size() == 5 ? arguments[4] : "card", arguments[1]);
  }
  throw chainmail::UsageError(
      "usage: write_topology hls|rtl|wiring|bar|edges NAME | registry NAME... | boards FILE... | "
      "kernel-xml KERNEL | link KERNEL FILE UNITS [card|host]");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::cout << write({argv + 1, argv + argc}) << std::flush;
    return std::cout ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "write_topology: " << error.what() << "\n";
    return 1;
  }
}
