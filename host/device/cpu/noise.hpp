// The keys of the counter-based noise. A random word is a pure function of the key and a counter
// made of (sweep, p-bit, lane), so it does not depend on threads, vector width or instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "support/random.hpp"

namespace chainmail {

// After three AES rounds the words of 256 consecutive counters still add up to zero (the "square"
// property); four destroy it, and all statistical tests pass (tests/device/noise.cpp).
inline constexpr int kNoiseRounds = 4;

struct NoiseKey {
  std::array<std::uint64_t, 2 * (kNoiseRounds + 1)> words;
};

// One key for each (seed + grid number, burst number); the hash keeps neighbours unrelated.
inline NoiseKey make_noise_key(std::uint64_t seed, std::uint64_t burst) {
  NoiseKey key{};
  for (std::size_t k = 0; k < key.words.size(); ++k) key.words[k] = hash_of(seed, {burst, k});
  return key;
}

// Whether AVX2 code may use 256-bit AES: at first, whether the processor has it. Tests clear it to
// see that the same bits come out.
extern bool may_use_wide_aes;

// The raw words behind all paths, for tests: two for each counter (low, high), low running fastest.
void noise_words(const NoiseKey& key, std::uint64_t first_low, std::size_t lows,
                 std::uint64_t first_high, std::size_t highs, std::uint64_t* out);

}  // namespace chainmail
