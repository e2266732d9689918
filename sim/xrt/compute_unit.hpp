// A kernel port plus what an emulator adds to it: a least duration of a run, so that the overlap
// of host and device can be measured at a board's speed, and a record of when it was busy.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

#include "xrt/unit_port.hpp"

namespace chainmail::emu {

struct Usage {
  std::uint64_t runs = 0;
  std::chrono::nanoseconds busy{0};
  std::chrono::steady_clock::time_point first_start{}, last_end{};
};

class ComputeUnit {
 public:
  ComputeUnit(std::unique_ptr<UnitPort> kernel, std::chrono::microseconds least_duration)
      : kernel_(std::move(kernel)), least_(least_duration) {}

  void write(std::uint32_t offset, std::span<const std::uint32_t> words);
  std::uint32_t read(std::uint32_t offset);
  const Usage& usage() const { return usage_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::uint32_t read_control();

  std::unique_ptr<UnitPort> kernel_;
  std::chrono::microseconds least_;
  bool running_ = false;
  Clock::time_point started_{};
  Usage usage_;
};

}  // namespace chainmail::emu
