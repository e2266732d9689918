// Randomness that is the same on every machine: a counter hash for decisions that must be
// repeatable from (seed, indices) alone, and the standard's engine, whose words are the same
// everywhere, for the rest (its distributions are not: those are Boost's, or here).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

namespace chainmail {

using Engine = std::mt19937_64;

// One step of the splitmix64 finaliser (Steele, Lea, Flood 2014): a bijection on 64 bits.
inline constexpr std::uint64_t kMixStep = 0x9e3779b97f4a7c15u;
inline constexpr std::uint64_t kMixFactors[] = {0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu};
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += kMixStep;
  x = (x ^ (x >> 30)) * kMixFactors[0];
  x = (x ^ (x >> 27)) * kMixFactors[1];
  return x ^ (x >> 31);
}

// A 64-bit value that depends on a seed and any number of indices.
constexpr std::uint64_t hash_of(std::uint64_t seed, std::initializer_list<std::uint64_t> indices) {
  std::uint64_t state = mix64(seed);
  for (std::uint64_t index : indices) state = mix64(state ^ mix64(index + 0x632be59bd9b4e019u));
  return state;
}

// Uniform in 0 to count - 1, as boost::random::uniform_int_distribution draws it.
inline std::uint64_t below(std::uint64_t count, Engine& engine) {
  if (count <= 1) return 0;
  const std::uint64_t largest = Engine::max();
  const std::uint64_t bucket = largest / count + (largest % count == count - 1 ? 1 : 0);
  for (;;) {
    const std::uint64_t drawn = engine() / bucket;
    if (drawn < count) return drawn;
  }
}

// Uniform in [0, 1) from the upper 53 bits.
constexpr double unit_interval(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1.0p-53;
}

}  // namespace chainmail
