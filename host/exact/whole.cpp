#include "exact/whole.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace chainmail {

namespace {

// value = mantissa * 2^exponent with an odd mantissa.
struct Odd {
  std::int64_t mantissa;
  int exponent;
};

Odd odd_of(double value) {
  int exponent = 0;
  const double share = std::frexp(value, &exponent);
  auto mantissa = static_cast<std::int64_t>(std::ldexp(share, 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa >> zeros, exponent - 53 + zeros};
}

}  // namespace

void WholeUnit::add(double value, double times) {
  if (value == 0.0) return;
  if (!std::isfinite(value)) {
    finite_ = false;
    return;
  }
  const int exponent = odd_of(value).exponent;
  exponent_ = any_ ? std::min(exponent_, exponent) : exponent;
  any_ = true;
  size_ += std::abs(static_cast<long double>(value)) * times;
}

bool WholeUnit::fits(int bits) const {
  return finite_ && std::ldexp(size_, -exponent_) < std::ldexp(1.0L, bits);
}

double WholeUnit::size() const {
  return static_cast<double>(size_);
}

Wide WholeUnit::whole(double value) const {
  if (value == 0.0) return 0;
  const Odd odd = odd_of(value);
  return static_cast<Wide>(odd.mantissa) * (static_cast<Wide>(1) << (odd.exponent - exponent_));
}

double WholeUnit::value(Wide whole) const {
  return static_cast<double>(std::ldexp(static_cast<long double>(whole), exponent_));
}

}  // namespace chainmail
