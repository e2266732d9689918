// Answers XRT's emulation calls: buffers go to the memory, register traffic to the compute units.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "xrt/compute_unit.hpp"
#include "xrt/link.hpp"
#include "xrt/memory.hpp"

namespace chainmail::emu {

class Server {
 public:
  Server(Memory& memory, std::chrono::microseconds least_duration)
      : memory_(memory), least_duration_(least_duration) {}

  // Serves until the host closes the device or is gone.
  void serve(Link& link);
  // Runs, busy time and the span from first start to last end, as one line of JSON.
  std::string usage() const;

 private:
  std::string answer(const Call& call);
  ComputeUnit& unit_at(std::uint64_t address);

  Memory& memory_;
  std::chrono::microseconds least_duration_;
  std::map<std::uint64_t, std::unique_ptr<ComputeUnit>> units_;  // by control base address
};

}  // namespace chainmail::emu
