// Noise of one replica: a hash of its key and a counter, so that a replica's random numbers depend
// on nothing but how many it has drawn; and an exponential function that is the same on every
// machine.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "support/random.hpp"

namespace chainmail {

class FormNoise {
 public:
  explicit FormNoise(std::uint64_t key = 0, std::uint64_t count = 0) : key_(key), count_(count) {}
  std::uint64_t word() { return mix64(key_ + 0x9e3779b97f4a7c15u * ++count_); }
  double unit() { return unit_interval(word()); }
  // Below n, by the upper half of a product: the bias is n / 2^64.
  std::uint32_t below(std::size_t n) {
    return static_cast<std::uint32_t>(((word() >> 32) * n) >> 32);
  }
  std::uint64_t key() const { return key_; }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t key_, count_;
};

// exp(-x) for x >= 0 to a few units in the last place: 2^-k times a polynomial. libm's own differs
// between processors.
inline double exp_minus(double x) {
  if (x > 700.0) return 0.0;
  const double k = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = (k * 0.693147180369123816490 - x) + k * 1.90821492927058770002e-10;
  double p = 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  return p * std::bit_cast<double>((std::uint64_t{1023} - static_cast<std::uint64_t>(k)) << 52);
}

}  // namespace chainmail
