// The row image in numbers, beside contract.hpp: how couplings lie in memory for the row kernel.
// docs/rows.md tells the meaning; HLS header, RTL package and loader read this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace chainmail::rows_contract {

inline constexpr unsigned kCouplingBits = 8;      // signed; -128 is not used
inline constexpr unsigned kFieldBits = 18;        // the narrow port of a DSP slice's multiplier
inline constexpr unsigned kGroupSpins = 5;        // couplings of a table
inline constexpr std::size_t kBeatWords = 4;      // 256 bits
inline constexpr std::size_t kBeatGroups = 6;     // groups in a beat; two bytes of it are spare
inline constexpr unsigned kClampBit = 32;         // of a row's first word, above its field
inline constexpr std::size_t kLaneReplicas = 64;  // by default: they hide building and latency

}  // namespace chainmail::rows_contract
