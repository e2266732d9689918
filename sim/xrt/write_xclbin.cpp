// Build tool: packs a device program into an emulation xclbin.
//   write_xclbin PROGRAM UNITS KERNEL > FILE.xclbin
// The kernel's arguments come from the contract, nowhere else.
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "topology/contract.hpp"
#include "xrt/xclbin.hpp"

namespace {

chainmail::emu::KernelSignature signature(const std::string& name, std::uint32_t units) {
  chainmail::emu::KernelSignature kernel;
  kernel.name = name;
  kernel.units = units;
  for (const chainmail::contract::Argument& argument : chainmail::contract::kArguments) {
    // The row kernel reads its image over its own bus.
    const bool wide = name == "pbit_rows" && argument.name == std::string("tables");
    const char* port = wide ? "m_axi_rows" : "m_axi_gmem";
    const char* scalar = argument.bits == 64 ? "unsigned long long" : "unsigned int";
    kernel.arguments.push_back({argument.name, argument.pointer ? "unsigned long long*" : scalar,
                                argument.pointer, argument.bits / 8, argument.offset,
                                argument.pointer ? port : "", 0});
  }
  return kernel;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4)
      throw std::runtime_error("usage: write_xclbin PROGRAM UNITS KERNEL > FILE.xclbin");
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) throw std::runtime_error(std::string("cannot read ") + argv[1]);
    const std::string program((std::istreambuf_iterator<char>(file)), {});
    const auto units = static_cast<std::uint32_t>(std::stoul(argv[2]));
    std::cout << chainmail::emu::make_xclbin(signature(argv[3], units), program) << std::flush;
    return std::cout ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "write_xclbin: " << error.what() << "\n";
    return 1;
  }
}
