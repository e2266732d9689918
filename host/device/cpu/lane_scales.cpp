#include "device/cpu/lane_scales.hpp"

#include <algorithm>

#include "device/cpu/integer_logistic.hpp"

namespace chainmail {

std::int16_t tail_threshold(const NoiseKey& key, std::uint64_t row, std::uint64_t replica,
                            std::uint16_t octave, std::uint16_t place, const LaneScales& lanes,
                            std::size_t slot) {
  const std::int64_t noise =
      integer_logistic(octave, place, hash_of(key.words[0], {key.words[1], row, replica}));
  if (lanes.most[slot] < lanes.least[slot]) {
    return noise > 0 ? std::int16_t{32767} : std::int16_t{-32768};
  }
  const std::int64_t product =
      noise * lanes.scale[slot] * static_cast<std::uint16_t>(lanes.factor[slot]);
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(product >> 16, -32768, 32767));
}

}  // namespace chainmail
