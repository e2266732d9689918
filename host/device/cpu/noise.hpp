// The keys of the counter-based noise. A random word is a pure function of the key and a counter
// made of (sweep, p-bit, lane), so it does not depend on threads, vector width or instruction set.
#pragma once

#include <array>
#include <cstdint>

#include "support/random.hpp"

namespace chainmail {

inline constexpr int kNoiseRounds = 3;  // AES rounds; tests/device/noise_quality.cpp says why

struct NoiseKey {
  std::array<std::uint64_t, 2 * (kNoiseRounds + 1)> words;
};

// One key for each (seed + grid number, burst number); the hash keeps neighbours unrelated.
inline NoiseKey make_noise_key(std::uint64_t seed, std::uint64_t burst) {
  NoiseKey key{};
  for (std::size_t k = 0; k < key.words.size(); ++k) key.words[k] = hash_of(seed, {burst, k});
  return key;
}

}  // namespace chainmail
