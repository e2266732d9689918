// The custom logic of an F2 instance as wires: what the shell drives (reset, OCL, PCIS) and what it
// answers. The models of one program are found by their topologies.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kernel_core.hpp"

namespace chainmail::sim {

struct ClInputs {
  bool reset_n = false;
  ControlRequest ocl;
  AxiRequest pcis;
};
struct ClOutputs {
  ControlReply ocl;
  AxiReply pcis;
  std::uint32_t id = 0;  // of the PCI function: device and vendor
};

class ClCore {
 public:
  virtual ~ClCore() = default;
  virtual void settle(const ClInputs& inputs, ClOutputs& outputs) = 0;
  virtual void edge() = 0;

  static std::unique_ptr<ClCore> make(const std::string& topology);  // UsageError for others

  // Each model registers itself here when the program starts.
  using Factory = std::function<std::unique_ptr<ClCore>()>;
  static bool enter(const std::string& topology, Factory factory);
};

}  // namespace chainmail::sim
