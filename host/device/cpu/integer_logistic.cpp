// With v uniform in (0, 1], |L| = log((2 - v) / v) has the logistic magnitude. The octave of v is
// the number of trailing zeros of a random word, and within v = 2^-octave (3 - y) / 4 the logarithm
// is a smooth function of y: a cubic with small integer coefficients is accurate to 2^-10. The sign
// is kept separate from the size, so rounding cannot favour one.
#include "device/cpu/integer_logistic.hpp"

#include <bit>
#include <cmath>

namespace chainmail {
namespace {

constexpr std::uint16_t kCodeFactor = 0x0f2d;
constexpr int kCubic = 12;  // c3, the same in all octaves

double magnitude(int octave, double y) {
  const double v = std::ldexp(0.75 - 0.25 * y, -octave);
  return kLogisticUnit * std::log((2.0 - v) / v);
}

struct Cubic {
  int c0, c1, c2;
};

// The quadratic through three Chebyshev nodes, after the common cubic term is taken away.
Cubic fit(int octave) {
  const double node = std::sqrt(0.75);
  const auto rest = [&](double y) { return magnitude(octave, y) - kCubic * y * y * y; };
  const double left = rest(-node), middle = rest(0.0), right = rest(node);
  const double c2 = (0.5 * (left + right) - middle) / (node * node);
  const double c1 = 0.5 * (right - left) / node;
  const int rounded = static_cast<int>(std::lround(c2));
  // Spread what rounding c2 changes: the mean of y^2 is a third.
  const double c0 = middle + (c2 - rounded) / 3.0;
  return {static_cast<int>(std::lround(c0)), static_cast<int>(std::lround(c1)), rounded};
}

std::uint8_t code_of(int octave) {
  const auto ones = static_cast<std::uint32_t>((2U << static_cast<unsigned>(octave)) - 1U);
  return static_cast<std::uint8_t>((ones * kCodeFactor & 0xffffU) >> 12U);
}

LogisticTables make_tables() {
  LogisticTables t{};
  for (int octave = 0; octave <= kTailOctave; ++octave) {
    const Cubic c = fit(octave);
    const std::uint8_t code = code_of(octave);
    t.c0_low[code] = static_cast<std::uint8_t>(c.c0 & 0xff);
    t.c0_high[code] = static_cast<std::uint8_t>(c.c0 >> 8);
    t.c1[code] = static_cast<std::uint8_t>(c.c1 - 256);
    t.c2[code] = static_cast<std::uint8_t>(c.c2);
  }
  t.c3.fill(kCubic);
  t.code_factor.fill(kCodeFactor);
  t.tail_code.fill(code_of(kTailOctave));
  t.all_ones.fill(-1);
  t.one.fill(1);
  return t;
}

// What one lane of the rounding 16-bit fixed-point multiply gives.
int multiply(int a, int b) {
  return (a * b + 0x4000) >> 15;
}

}  // namespace

const LogisticTables& logistic_tables() {
  static const LogisticTables tables = make_tables();
  return tables;
}

Logistic integer_logistic(std::uint16_t octave, std::uint16_t place, std::uint64_t tail) {
  const LogisticTables& t = logistic_tables();
  const int below = std::countr_zero(static_cast<std::uint32_t>(octave & 0x7fffU) | 0x8000U);
  const std::uint8_t code = code_of(below);
  const int y = static_cast<std::int16_t>(place);
  const int c0 = static_cast<std::int16_t>(t.c0_low[code] | t.c0_high[code] << 8);
  const int c1 = 256 + t.c1[code];
  std::int64_t size = c0 + multiply(y, c1 + multiply(y, t.c2[code] + multiply(y, kCubic)));
  if (below == kTailOctave) {
    const int further = std::countr_zero(tail | std::uint64_t{1} << 63U);
    size += std::lround(further * kLogisticUnit * std::log(2.0));
  }
  return {size, (octave & 0x8000U) != 0};
}

}  // namespace chainmail
