// Build tool: writes what kernels are compiled from.
//   write_topology hls NAME          the HLS header of a topology
//   write_topology rtl NAME          the RTL package of a topology
//   write_topology wiring NAME       the RTL module of its wires
//   write_topology registry NAME...  the table of the kernels linked into the host program
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "support/error.hpp"
#include "topology/hls_header.hpp"
#include "topology/rtl_package.hpp"

namespace {

std::string symbol(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return "pbit_burst_" + name;
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
    text += "      {\"" + name + "\", &" + symbol(name) + "},\n";
  }
  return text + "  };\n  return kernels;\n}\n";
}

std::string write(const std::vector<std::string>& arguments) {
  if (arguments.size() >= 2 && arguments[0] == "registry") {
    return registry({arguments.begin() + 1, arguments.end()});
  }
  if (arguments.size() == 2 && arguments[0] == "hls") {
    return chainmail::hls_header(chainmail::topology_from_name(arguments[1]));
  }
  if (arguments.size() == 2 && arguments[0] == "rtl") {
    return chainmail::rtl_package(chainmail::topology_from_name(arguments[1]));
  }
  if (arguments.size() == 2 && arguments[0] == "wiring") {
    return chainmail::rtl_wiring(chainmail::topology_from_name(arguments[1]));
  }
  throw chainmail::UsageError(
      "usage: write_topology hls|rtl|wiring NAME | write_topology registry NAME...");
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
