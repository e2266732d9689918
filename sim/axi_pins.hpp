// The wires between a kernel's AXI4 master and a memory, as plain values, so that the memory model
// knows nothing of the simulator behind the kernel.
#pragma once

#include <array>
#include <cstdint>

namespace chainmail::sim {

constexpr unsigned kMaxBeatBytes = 64;
using Beat = std::array<std::uint8_t, kMaxBeatBytes>;

enum class Response : std::uint8_t { okay = 0, slave_error = 2, decode_error = 3 };

struct AxiAddress {
  bool valid = false;
  std::uint64_t address = 0;
  unsigned id = 0;
  unsigned length = 0;  // beats - 1
  unsigned size = 0;    // log2 of the bytes of a beat
  unsigned burst = 0;   // 1 is INCR
  bool operator==(const AxiAddress&) const = default;
};

struct AxiWriteBeat {
  bool valid = false;
  Beat data{};
  std::uint64_t strobe = 0;
  bool last = false;
  bool operator==(const AxiWriteBeat&) const = default;
};

// What the master drives.
struct AxiRequest {
  AxiAddress read, write;
  AxiWriteBeat data;
  bool read_ready = false, response_ready = false;
};

// What the memory drives.
struct AxiReply {
  bool read_address_ready = false, write_address_ready = false, write_ready = false;
  bool read_valid = false, read_last = false, response_valid = false;
  Beat read_data{};
  unsigned read_id = 0, response_id = 0;
  Response read_response = Response::okay, response = Response::okay;
};

}  // namespace chainmail::sim
