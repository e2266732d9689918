// One Verilated kernel as wires: set the inputs, let them settle, read the outputs, give a clock
// edge. The models of several topologies live in one program, each found by its name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "axi_pins.hpp"

namespace chainmail::sim {

// The AXI4-Lite slave's wires, as the host drives them and as the kernel answers.
struct ControlRequest {
  bool write_address_valid = false, write_valid = false, response_ready = false;
  bool read_address_valid = false, read_ready = false;
  std::uint32_t write_address = 0, read_address = 0, write_data = 0;
  unsigned strobe = 0xf;
};
struct ControlReply {
  bool write_address_ready = false, write_ready = false, response_valid = false;
  bool read_address_ready = false, read_valid = false;
  std::uint32_t read_data = 0;
};

struct CoreInputs {
  bool reset_n = false;
  ControlRequest control;
  AxiReply memory, rows;
};
struct CoreOutputs {
  ControlReply control;
  AxiRequest memory, rows;  // rows: the row kernel's second master, which only reads
  bool interrupt = false;
};

class KernelCore {
 public:
  virtual ~KernelCore() = default;
  virtual unsigned beat_bytes() const = 0;
  virtual unsigned row_beat_bytes() const = 0;  // of the second master; 0: there is none
  virtual void settle(const CoreInputs& inputs, CoreOutputs& outputs) = 0;
  virtual void edge() = 0;
  // Records waveforms from here on; throws DeviceError when the model was built without them.
  virtual void trace(const std::string& path) = 0;

  // The topologies linked into this program, and a new instance of one (UsageError for others).
  static std::vector<std::string> names();
  static std::unique_ptr<KernelCore> make(const std::string& topology);

  // Each model registers itself here when the program starts.
  using Factory = std::function<std::unique_ptr<KernelCore>()>;
  static bool enter(const std::string& topology, Factory factory);
};

}  // namespace chainmail::sim
