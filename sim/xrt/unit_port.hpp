// One compute unit of an emulated device as the outside sees it: a register file on its control
// port and memory on its masters. The HLS kernel and the Verilated RTL implement this.
#pragma once

#include <cstdint>
#include <memory>

#include "xrt/memory.hpp"

namespace chainmail::emu {

// The control register of a Vitis kernel.
namespace control {
inline constexpr std::uint32_t address = 0x00;
inline constexpr std::uint32_t start = 1u << 0;
inline constexpr std::uint32_t done = 1u << 1;
inline constexpr std::uint32_t idle = 1u << 2;
inline constexpr std::uint32_t ready = 1u << 3;
}  // namespace control

class UnitPort {
 public:
  virtual ~UnitPort() = default;
  // Register access by word, at any time.
  virtual std::uint32_t read(std::uint32_t offset) = 0;
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
  // After control::start was written: runs to the end, in the calling thread.
  virtual void run() = 0;
};

// Each device program links exactly one definition of this. `unit` counts from 0; throws
// std::runtime_error when the program holds fewer.
std::unique_ptr<UnitPort> make_unit(Memory& memory, std::uint32_t unit);

}  // namespace chainmail::emu
