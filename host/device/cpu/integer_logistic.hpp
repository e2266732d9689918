// Logistic noise in 16-bit integers: the coefficients the vector code looks up, and the same
// function for one draw, which serves the rare tail and the tests.
#pragma once

#include <array>
#include <cstdint>

namespace chainmail {

// A draw takes two 16-bit words: `octave` (sign and a geometric number) and `place` within it.
// The result L is odd, in units of 2^-11, and exactly symmetric: P(L < x) = 1 / (1 + exp(-x)).
inline constexpr int kLogisticBits = 11;
inline constexpr int kTailOctave = 15;  // reached once in 2^15 draws; more bits come from a hash

// Maps octave ^ (octave - 1), a block of ones, to a number of its own in 0..15.
inline constexpr std::uint16_t kOctaveCode = 0x0f2d;
inline constexpr std::int16_t kCubic = 13;  // y^3, the same in all octaves

// |L| in units of 2^-10 is c0 + y (c1 + y (c2 + y kCubic)), y in [-1, 1) being `place` as a signed
// fraction; tables by the octave's code, split in bytes for byte shuffles.
struct LogisticTables {
  alignas(16) std::array<std::uint8_t, 16> c0_low, c0_high, c1_low, c1_high, c2;
  std::uint8_t tail_code;  // the code of kTailOctave
};
const LogisticTables& logistic_tables();

// One draw; `tail` is a further random word, used in the last octave only.
std::int64_t integer_logistic(std::uint16_t octave, std::uint16_t place, std::uint64_t tail);

}  // namespace chainmail
