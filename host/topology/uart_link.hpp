// Constants of the serial link: framing, commands, codes and the sizes of records. docs/uart.md has
// the meaning; the RTL package and the driver both read this.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "topology/contract.hpp"
#include "topology/topology.hpp"

namespace chainmail::uart_link {

inline constexpr std::uint8_t kVersion = 2;  // 1: the greeting has no speed

// Bytes between two flags are a frame; a flag or an escape inside one is sent as escape and the
// byte with one bit flipped, so that a flag always is a frame's edge.
inline constexpr std::uint8_t kFlag = 0x7e;
inline constexpr std::uint8_t kEscape = 0x7d;
inline constexpr std::uint8_t kFlip = 0x20;

// CRC-32 (IEEE 802.3, bits reflected) over all bytes of a frame, appended lowest byte first. Run
// over message and CRC it leaves the residue.
inline constexpr std::uint32_t kCrcPolynomial = 0xedb8'8320;
inline constexpr std::uint32_t kCrcResidue = 0xdebb'20e3;  // before the final inversion
inline constexpr std::size_t kCrcBytes = 4;

inline constexpr std::size_t kHeadBytes = 5;    // command, number; a reply has a code more
inline constexpr std::size_t kPlaceBytes = 2;   // first, replicas
inline constexpr std::size_t kBurstBytes = 12;  // seed, sweeps
inline constexpr std::uint8_t kReply = 0x80;    // or-ed to the command

enum Command : std::uint8_t {
  kOpen = 1,       // begins a session: its number is where the count starts
  kTables = 2,     // changes state
  kSpins = 3,      // changes state
  kRun = 4,        // changes state
  kReadSpins = 5,  // asks
  kReadBest = 6,   // asks
};

// Besides those of the kernel contract (0 and 1).
enum Code : std::uint8_t {
  kOutOfStep = 0x10,  // the number is neither the next one nor the last one again
  kBadFrame = 0x11,   // unknown command, or a payload of the wrong length
};

// Records, every number in whole bytes, lowest first.
constexpr std::size_t bytes_of(std::size_t bits) {
  return (bits + 7) / 8;
}
inline std::size_t state_bytes(const Topology& t) {
  return bytes_of(t.pbits());
}
inline std::size_t beta_bytes(const Topology& t) {
  return bytes_of(t.options.beta_bits);
}
inline std::size_t parameter_bytes(const Topology& t) {
  return beta_bytes(t) + bytes_of(contract::kPenaltyBits);
}
inline std::size_t energy_bytes(const Topology& t) {
  return bytes_of(t.energy_bits);
}
// g with one more bit, the highest of its bytes: whether there is a best f.
inline std::size_t violation_bytes(const Topology& t) {
  return bytes_of(t.violation_bits + 1);
}
inline std::size_t outcome_bytes(const Topology& t) {
  return 2 * energy_bytes(t) + violation_bytes(t);
}
inline std::size_t table_values(const Topology& t) {  // of 16 bits, of all p-bits
  return t.pbits() * ((t.tables << t.address_bits) + 1);
}
// The board's: it holds any frame with its CRC, and no frame fills it.
inline std::size_t buffer_bytes(const Topology& t) {
  const std::size_t payload =
      std::max({2 * table_values(t), kPlaceBytes + t.options.max_replicas * state_bytes(t),
                kPlaceBytes + t.options.max_replicas * parameter_bytes(t) + kBurstBytes});
  return std::max(std::size_t{512}, std::bit_ceil(kHeadBytes + payload + kCrcBytes + 1));
}

}  // namespace chainmail::uart_link
