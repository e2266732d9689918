// The device's side of a control port: a thread that runs the kernel whenever the host has
// started it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "xrt/shared_device.hpp"
#include "xrt/unit_port.hpp"

namespace chainmail::emu {

class ComputeUnit {
 public:
  ComputeUnit(std::unique_ptr<UnitPort> kernel, SharedUnit& shared);

  // Hands posted writes to the kernel now instead of at the next start.
  void take_writes();
  // What the host cannot do by itself (ControlPort): accesses that need the kernel at once.
  void write(std::uint32_t offset, std::span<const std::uint32_t> words);
  std::uint32_t read(std::uint32_t offset);

 private:
  [[noreturn]] void run();

  std::unique_ptr<UnitPort> kernel_;
  SharedUnit& shared_;
  std::mutex taking_;
};

}  // namespace chainmail::emu
