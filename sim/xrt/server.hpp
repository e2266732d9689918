// Answers XRT's emulation calls: buffers go to the memory, register traffic to the compute units.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "xrt/compute_unit.hpp"
#include "xrt/link.hpp"
#include "xrt/memory.hpp"

namespace chainmail::emu {

class Server {
 public:
  explicit Server(SharedDevice& device) : device_(device), memory_(device) {}

  // Serves until the host closes the device or is gone.
  void serve(Link& link);
  // Runs, busy time, the span from first start to last end, and how long each compute unit was idle
  // before each of its latest runs, as one line of JSON.
  std::string usage() const;

 private:
  std::string answer(const Call& call);
  std::string access_registers(const Call& call);
  ComputeUnit& unit_at(std::uint64_t address);

  SharedDevice& device_;
  Memory memory_;
  std::array<std::unique_ptr<ComputeUnit>, platform::units_max> units_;
};

}  // namespace chainmail::emu
