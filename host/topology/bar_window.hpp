// Constants of boards whose registers and memory a host sees through two windows, PCI BARs for
// instance: what is at the mark, and how much memory a kernel needs. The RTL package
// (cm_bar_pkg, rtl/bar) and the driver (device/bar) both read this.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "topology/contract.hpp"
#include "topology/topology.hpp"

namespace chainmail::bar_window {

inline constexpr std::uint32_t kMarkBase = 0x1000;   // mark, version, bytes of memory, MHz
inline constexpr std::uint32_t kMark = 0x4241'4d43;  // "CMAB", little-endian
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::size_t kRowBytes = 64;  // parts of a call begin at a row

constexpr std::size_t row_aligned(std::size_t words) {
  return (8 * words + kRowBytes - 1) / kRowBytes * kRowBytes;
}

// Room for all that one call of this kernel can move, and for its tables.
inline std::size_t memory_bytes(const Topology& t) {
  const std::size_t replicas = t.options.max_replicas;
  return std::bit_ceil(4096 + row_aligned(t.image_words()) + row_aligned(replicas) +
                       2 * row_aligned(replicas * t.state_words()) + row_aligned(2 * replicas));
}

std::string package(const Topology& topology);  // cm_bar_pkg.sv

}  // namespace chainmail::bar_window
