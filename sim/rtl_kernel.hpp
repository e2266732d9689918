// The RTL kernel as a driver sees it: registers to write and read over AXI4-Lite, a memory the
// kernel reaches over AXI4, an interrupt. Time passes only in the calls made here, clock by clock;
// one object is one compute unit with a memory of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "axi_memory.hpp"
#include "kernel_core.hpp"

namespace chainmail::sim {

class RtlKernel {
 public:
  explicit RtlKernel(const std::string& topology);
  explicit RtlKernel(std::unique_ptr<KernelCore> core);

  void write_register(std::uint32_t offset, std::uint32_t value, unsigned strobe = 0xf);
  void write_pointer(std::uint32_t offset, std::uint64_t address);  // two words, low first
  std::uint32_t read_register(std::uint32_t offset);

  // Lets clocks pass; in run_until_done until the control register says done, which it reads as a
  // driver does. Throws DeviceError when that takes more than `limit` clocks.
  void clock(std::uint64_t clocks = 1);
  void run_until_done(std::uint64_t limit = 1'000'000'000);

  // Holds reset for a few clocks, now; whatever was in flight is lost.
  void reset();

  AxiMemory& memory() { return memory_; }
  // What the row image is read from: the row kernel's second master, else the same.
  AxiMemory& image_memory() { return core_->row_beat_bytes() > 0 ? rows_ : memory_; }
  bool interrupt() const { return outputs_.interrupt; }
  std::uint64_t clocks() const { return clocks_; }
  void trace(const std::string& path) { core_->trace(path); }
  // Between 0 and 1: how often the host's side of AXI4-Lite idles on purpose.
  void hesitate(double probability, std::uint64_t seed);
  // Accepts an answer only a clock after VALID: a slave that waits for READY hangs.
  void wait_for_valid(bool shy) { shy_ = shy; }

 private:
  void step();
  bool chance();

  std::unique_ptr<KernelCore> core_;
  AxiMemory memory_, rows_;
  CoreInputs inputs_;
  CoreOutputs outputs_;
  std::uint64_t clocks_ = 0, random_ = 1;
  double hesitation_ = 0;
  bool shy_ = false;
};

}  // namespace chainmail::sim
