// Constants of the flip kernel's image, in addition to contract.hpp: docs/flips.md has the meaning;
// HLS header, RTL package and loader read this.
#pragma once

#include <cstddef>

namespace chainmail::flips_contract {

inline constexpr unsigned kCouplingBits = 8;      // signed; -128 is not used
inline constexpr unsigned kFieldBits = 18;        // the narrow port of a DSP slice's multiplier
inline constexpr std::size_t kWordCouplings = 8;  // of a record's word
inline constexpr std::size_t kHeadWords = 2;      // rows in use and mark, f of all spins down
inline constexpr unsigned kClampBit = 32;         // of a record's first word, above its base
// Of the second word: with forms g of all spins down, above a product's weight.
inline constexpr unsigned kAllDownBit = 36;
// Of a replica's parameters: skipped sweeps, from this bit on; with constraints above beta P.
inline constexpr unsigned kLeftOutBit = 48, kPenalisedLeftOutBit = 56;
inline constexpr std::size_t kLanes = 16, kReplicas = 32;  // by default

}  // namespace chainmail::flips_contract
