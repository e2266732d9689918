// Writes an xclbin for emulation: the kernel's signature, the board's memory and the device program
// that implements the kernel, in the container XRT loads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace chainmail::emu {

struct KernelArgument {
  std::string name;
  std::string type;          // as in the C++ source
  bool is_buffer = false;    // a pointer on a master port, else a scalar
  std::uint32_t size = 0;    // bytes in the register map
  std::uint32_t offset = 0;  // in the register map
  std::string port;          // master port of a buffer
  std::uint32_t bank = 0;    // memory bank of a buffer
};

struct KernelSignature {
  std::string name;
  std::vector<KernelArgument> arguments;  // in call order
  std::uint32_t register_range = 0x1000;
  std::uint32_t units = 1;
};

// `device_program` is the content of the executable. The uuid is derived from the content, so
// the same input gives the same file.
std::string make_xclbin(const KernelSignature& kernel, const std::string& device_program);

}  // namespace chainmail::emu
