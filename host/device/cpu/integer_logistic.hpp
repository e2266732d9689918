// Logistic noise in 16-bit integers: the coefficients the vector code looks up, and the same
// function for one draw, which serves the rare tail and the tests.
#pragma once

#include <array>
#include <cstdint>

namespace chainmail {

// A draw takes two 16-bit words: `octave` (sign and a geometric number) and `place` within it.
// L = ±size / kLogisticUnit has P(L < x) = 1 / (1 + exp(-x)).
inline constexpr double kLogisticUnit = 950.0;  // the largest that keeps c1 in 256..511
inline constexpr int kTailOctave = 15;  // reached once in 2^15 draws; more bits come from a hash

struct Logistic {
  std::int64_t size;  // never negative
  bool negative;
};

// size = c0 + y (c1 + y (c2 + y c3)), y in [-1, 1) being `place` as a signed fraction. Tables by
// the octave's code, in bytes for byte shuffles; constants 16 bytes wide for broadcasting loads.
struct LogisticTables {
  template <class T>
  using Wide = std::array<T, 16 / sizeof(T)>;
  alignas(16) Wide<std::uint8_t> c0_low, c0_high;
  alignas(16) Wide<std::uint8_t> c1;  // less 256
  alignas(16) Wide<std::uint8_t> c2;
  alignas(16) Wide<std::int16_t> c3;
  // octave ^ (octave - 1) is a block of ones; times this, its top four bits are the octave's code.
  alignas(16) Wide<std::int16_t> code_factor;
  alignas(16) Wide<std::uint8_t> tail_code;  // of kTailOctave
  alignas(16) Wide<std::int16_t> all_ones;
  alignas(16) Wide<std::uint8_t> one;
};
const LogisticTables& logistic_tables();

// One draw; `tail` is a further random word, used in the last octave only.
Logistic integer_logistic(std::uint16_t octave, std::uint16_t place, std::uint64_t tail);

}  // namespace chainmail
