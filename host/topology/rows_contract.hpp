// Constants of the row image, in addition to contract.hpp: the memory layout for the row kernel.
// docs/rows.md has the meaning; HLS header, RTL package and loader read this.
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

// Groups, in a row's first word: a member, the group's first member, the row that settles it.
inline constexpr unsigned kMemberBit = 33, kBeginBit = 34, kSettleBit = 35;
// The row's second word: a product's weight as a power of two.
inline constexpr unsigned kShiftBit = 32, kShiftBits = 4;

// An entry of the beat of forms, a word each.
inline constexpr unsigned kCoefficientBits = 16;  // signed; 0: no form
inline constexpr unsigned kNumberBit = 16, kNumberBits = 12;
inline constexpr unsigned kEqualityBit = 28, kFirstBit = 29;
inline constexpr unsigned kResidualBit = 32, kResidualBits = 24;  // signed
inline constexpr std::size_t kFormResiduals = 16;                 // of a bank, by default
inline constexpr std::size_t kMostForms = 4;                      // of a variable: words of a beat
inline constexpr unsigned kPullBits = 18;       // signed D, what a spin up adds to g
inline constexpr unsigned kViolationBits = 28;  // 2g fits

// Gumbel noise: 2 signs, 32 octaves, 16 segments.
inline constexpr std::size_t kGumbelEntries = 1024;
inline constexpr unsigned kGumbelBits = 18, kGumbelBaseBits = 14;

}  // namespace chainmail::rows_contract
