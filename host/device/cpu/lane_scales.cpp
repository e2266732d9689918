#include "device/cpu/lane_scales.hpp"

#include <algorithm>

#include "device/cpu/integer_logistic.hpp"

namespace chainmail {

std::int16_t tail_threshold(const NoiseKey& key, std::uint64_t row, std::uint64_t replica,
                            std::uint16_t octave, std::uint16_t place, const LaneScales& lanes,
                            std::size_t slot) {
  const Logistic noise =
      integer_logistic(octave, place, hash_of(key.words[0], {key.words[1], row, replica}));
  const std::int64_t product = noise.size * lanes.scale[slot] * lanes.factor[slot];
  const std::int64_t size =
      lanes.most[slot] < 0 ? 32767 : std::min<std::int64_t>(product >> 16, 32767);
  return static_cast<std::int16_t>(noise.negative ? ~size : size);
}

}  // namespace chainmail
