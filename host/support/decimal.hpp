// A decimal number, exactly: mantissa * 10^exponent with up to 38 digits, or an infinity. Numbers
// of a model stay in this form from the file to the verdict; arithmetic is exact or throws.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/error.hpp"

namespace chainmail {

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): pedantic

// What exact arithmetic throws where a number would need more than 38 digits.
struct TooManyDigits : InputError {
  TooManyDigits() : InputError("a number would need more than 38 digits") {}
};

class Decimal {
 public:
  constexpr Decimal() = default;
  // A whole double unchanged, any other as the shortest decimal that reads back as the same double:
  // what a person or a program wrote. NaN is refused with InputError.
  Decimal(double value);  // NOLINT(google-explicit-constructor): 0.5 is a Decimal
  template <std::integral Integer>
  Decimal(Integer value) : Decimal(static_cast<Wide>(value), 0) {}  // NOLINT: so is 3
  // Throws TooManyDigits.
  Decimal(Wide mantissa, int exponent);

  // A number at the start of `text`, as std::from_chars takes one; `end` is what follows it.
  // Nothing where there is none, it does not fit a double, or has more than 38 digits.
  enum class Fault { none, no_number, too_large, too_long };
  static std::optional<Decimal> parse(std::string_view text, std::size_t& length, Fault& fault);
  static Decimal infinity() {
    Decimal d;
    d.low_ = 1;
    d.exponent_ = kInfinite;
    return d;
  }

  Wide mantissa() const {
    return static_cast<Wide>((static_cast<Unsigned>(static_cast<std::uint64_t>(high_)) << 64) |
                             low_);
  }
  int exponent() const { return exponent_; }
  bool finite() const { return exponent_ != kInfinite; }
  bool whole() const { return finite() && exponent_ >= 0; }
  bool negative() const { return high_ < 0; }
  bool zero() const { return high_ == 0 && low_ == 0; }

  explicit operator double() const;  // the nearest
  std::string text() const;          // all digits

  Decimal operator-() const;
  Decimal magnitude() const { return negative() ? -*this : *this; }
  Decimal half() const;
  // Rounded towards minus and plus infinity, to a whole number.
  Decimal floor() const;
  Decimal ceil() const { return -(-*this).floor(); }

  // Throw TooManyDigits.
  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator-(const Decimal& a, const Decimal& b) { return a + -b; }
  friend Decimal operator*(const Decimal& a, const Decimal& b);
  Decimal& operator+=(const Decimal& other) { return *this = *this + other; }
  Decimal& operator-=(const Decimal& other) { return *this = *this - other; }

  friend bool operator==(const Decimal&, const Decimal&) = default;
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);

 private:
  __extension__ typedef unsigned __int128 Unsigned;  // NOLINT(modernize-use-using)

  static constexpr std::int32_t kInfinite = 1 << 30;

  // Two halves, since an __int128 member would make every term a third larger. No factor of ten is
  // left in the mantissa, so that equal numbers have equal members.
  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
  std::int32_t exponent_ = 0;
};

// A sum of many terms, kept exactly while 38 digits hold it.
class DecimalSum {
 public:
  void add(const Decimal& coefficient, Wide factor = 1);
  std::optional<Decimal> value() const;  // nothing where it needs more digits

 private:
  Wide sum_ = 0;
  int exponent_ = 0;
  bool fits_ = true;
};

// floor(value / unit) where the unit is mantissa * 10^exponent, positive. What is beyond +-2^120,
// which no sum of 64-bit terms reaches, becomes that.
inline constexpr Wide kWidestUnits = Wide{1} << 120;
Wide floor_units(const Decimal& value, std::int64_t mantissa, int exponent);
inline Wide ceil_units(const Decimal& value, std::int64_t mantissa, int exponent) {
  return -floor_units(-value, mantissa, exponent);
}

// The greatest common divisor, not negative.
Wide common_factor(Wide a, Wide b);
// 10^digits, digits from 0 to 38.
Wide power_of_ten(int digits);
// value * 10^digits, or nothing where that has more than 38 digits.
std::optional<Wide> times_power_of_ten(Wide value, int digits);

}  // namespace chainmail
