// The host's side of a compute unit's control port. Register writes are posted, as over PCIe, and
// reading the control register of a running unit disturbs nobody; every other register access needs
// the device itself. All state is in the shared unit, so that host library and server may take
// turns.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "xrt/shared_device.hpp"

namespace chainmail::emu {

class ControlPort {
 public:
  // `wanted`, if any: while it is not zero somebody else waits for the line to the device.
  ControlPort(SharedUnit& unit, std::chrono::nanoseconds least_duration,
              const std::atomic<int>* wanted)
      : unit_(unit), least_(least_duration), wanted_(wanted) {}

  // False when the device must be asked: first use, a run in progress, no room.
  bool write(std::uint32_t offset, std::string_view words);
  // The control register from a start until its end has been reported; otherwise nothing: ask the
  // device.
  std::optional<std::uint32_t> read(std::uint32_t offset);

 private:
  bool over() const;  // no run in progress
  void wait_for_end() const;
  void tell_end();

  SharedUnit& unit_;
  std::chrono::nanoseconds least_;
  const std::atomic<int>* wanted_;
};

}  // namespace chainmail::emu
