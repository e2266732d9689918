// What turns integer logistic noise into thresholds, for the lanes of one block of the table path.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/cpu/noise.hpp"

namespace chainmail {

inline constexpr std::size_t kTableLanes = 128;  // replicas of a block

// The size t of a threshold is floor(size of the noise * scale * factor / 2^16), at most 32767. A
// spin in the field I is up when I > t or, with negative noise, when not -I > t; as 16-bit numbers,
// when I > t or I > ~t. So the signs mirror each other exactly, however t was rounded.
struct LaneScales {
  // In the order thresholds are made in (NoiseShape in thresholds-inl.hpp).
  alignas(64) std::uint16_t scale[kTableLanes];
  alignas(64) std::uint16_t factor[kTableLanes];  // 2^shift
  // A high product above saturates; -1 for lanes at beta = 0, whose spins are coins.
  alignas(64) std::int16_t most[kTableLanes];
  // In the order of the sums.
  alignas(64) std::int16_t penalty[kTableLanes];
  bool hot;  // some lane has a shift or is free
};

// The threshold of one lane whose octave word ran out of bits: the exact tail, in wide integers.
std::int16_t tail_threshold(const NoiseKey& key, std::uint64_t row, std::uint64_t replica,
                            std::uint16_t octave, std::uint16_t place, const LaneScales& lanes,
                            std::size_t slot);

}  // namespace chainmail
