// Doubles as whole multiples of a power of two: their sums in whole numbers are exact, so
// comparisons need no rounding.
#pragma once

#include <optional>
#include <span>

#include "support/decimal.hpp"

namespace chainmail {

// The next whole number up; `divisor` is above 0.
inline Wide divided_up(Wide value, Wide divisor) {
  return value >= 0 ? (value + divisor - 1) / divisor : -(-value / divisor);
}

class WholeUnit {
 public:
  // Registers a value that will be added up, `times` over.
  void add(double value, double times = 1.0);
  void add(std::span<const double> values) {
    for (double value : values) add(value);
  }
  // Whether any sum fits into this many bits, plus a sign.
  bool fits(int bits = 119) const;
  bool fits_64() const { return fits(60); }
  double size() const;  // of all sums, at most

  Wide whole(double value) const;  // value / unit
  double value(Wide whole) const;  // rounded to nearest

 private:
  bool finite_ = true;
  int exponent_ = 0;  // the unit is 2 to this
  bool any_ = false;
  long double size_ = 0.0;
};

}  // namespace chainmail
