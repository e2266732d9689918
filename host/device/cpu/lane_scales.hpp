// What turns integer logistic noise into thresholds, for the lanes of one block of the table path.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/cpu/noise.hpp"

namespace chainmail {

inline constexpr std::size_t kTableLanes = 128;  // replicas of a block

// By slot: the order the kernels keep 16-bit numbers in (slot_of in thresholds-inl.hpp).
// Lanes at beta = 0 have most < least: every threshold saturates and the spin is a coin.
struct LaneScales {
  alignas(64) std::int16_t scale[kTableLanes];
  alignas(64) std::int16_t factor[kTableLanes];  // 2^shift; the bits of 2^15 as unsigned
  alignas(64) std::int16_t most[kTableLanes];    // a high product above saturates
  alignas(64) std::int16_t least[kTableLanes];
  alignas(64) std::int16_t penalty[kTableLanes];
  bool hot;  // some lane has a shift or is free
};

// The threshold of one lane whose octave word ran out of bits: the exact tail, in wide integers.
std::int16_t tail_threshold(const NoiseKey& key, std::uint64_t row, std::uint64_t replica,
                            std::uint16_t octave, std::uint16_t place, const LaneScales& lanes,
                            std::size_t slot);

}  // namespace chainmail
