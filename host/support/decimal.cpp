#include "support/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace chainmail {

namespace {

constexpr int kDigits = 38;

constexpr std::array<Wide, kDigits + 1> kPowers = [] {
  std::array<Wide, kDigits + 1> powers{};
  powers[0] = 1;
  for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = 10 * powers[k - 1];
  return powers;
}();

Wide size_of(Wide value) {
  return value < 0 ? -value : value;
}

int digits_of(Wide value) {
  const auto above = std::upper_bound(kPowers.begin(), kPowers.end(), size_of(value));
  return static_cast<int>(above - kPowers.begin());
}

std::string digits_text(Wide value) {
  std::string text;
  for (Wide rest = size_of(value); rest > 0; rest /= 10) {
    text += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  if (text.empty()) text = "0";
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace

Wide common_factor(Wide a, Wide b) {
  a = size_of(a);
  b = size_of(b);
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Wide power_of_ten(int digits) {
  return kPowers.at(static_cast<std::size_t>(digits));
}

std::optional<Wide> times_power_of_ten(Wide value, int digits) {
  if (value == 0) return value;
  if (digits_of(value) + digits > kDigits) return std::nullopt;
  return value * power_of_ten(digits);
}

Wide floor_units(const Decimal& value, std::int64_t mantissa, int exponent) {
  if (value.zero()) return 0;
  Wide quotient = kWidestUnits, rest = 0;
  if (value.finite()) {
    const int shift = value.exponent() - exponent;
    Wide under = mantissa;
    if (shift < 0) {
      const std::optional<Wide> scaled = times_power_of_ten(under, std::min(99, -shift));
      if (!scaled) return value.negative() ? -1 : 0;  // 38 digits by more than that
      under = *scaled;
    }
    quotient = size_of(value.mantissa()) / under;
    rest = size_of(value.mantissa()) % under;
    for (int k = 0; k < shift && quotient < kWidestUnits; ++k) {  // by hand: it may be long
      quotient = 10 * quotient + 10 * rest / under;
      rest = 10 * rest % under;
    }
  }
  if (value.negative()) quotient = -quotient - (rest != 0 ? 1 : 0);
  return std::clamp(quotient, -kWidestUnits, kWidestUnits);
}

Decimal::Decimal(Wide mantissa, int exponent) {
  if (mantissa == 0) return;
  // In small numbers, which most are, the compiler's 64-bit division is ten times as fast.
  if (std::int64_t small = static_cast<std::int64_t>(mantissa); small == mantissa) {
    for (; small % 10 == 0; small /= 10) ++exponent;
    mantissa = small;
  } else {
    for (; mantissa % 10 == 0; mantissa /= 10) ++exponent;
  }
  if (digits_of(mantissa) > kDigits) throw TooManyDigits();
  high_ = static_cast<std::int64_t>(mantissa >> 64);
  low_ = static_cast<std::uint64_t>(mantissa);
  exponent_ = exponent;
}

Decimal::Decimal(double value) {
  if (std::isnan(value)) throw InputError("expected a number, found nan");
  if (std::isinf(value)) {
    *this = value > 0 ? infinity() : -infinity();
    return;
  }
  if (value == std::floor(value) && std::abs(value) < 1e37) {
    *this = Decimal(static_cast<Wide>(value), 0);
    return;
  }
  std::array<char, 64> text;
  const char* end = std::to_chars(text.begin(), text.end(), value).ptr;
  std::size_t length = 0;
  Fault fault = Fault::none;
  *this = *parse({text.data(), static_cast<std::size_t>(end - text.data())}, length, fault);
}

std::optional<Decimal> Decimal::parse(std::string_view text, std::size_t& length, Fault& fault) {
  double nearest = 0.0;
  const char* const first = text.data();
  const auto [end, error] = std::from_chars(first, first + text.size(), nearest);
  length = static_cast<std::size_t>(end - first);
  fault = error == std::errc::result_out_of_range ? Fault::too_large
          : error != std::errc()                  ? Fault::no_number
                                                  : Fault::none;
  if (fault != Fault::none) return std::nullopt;
  if (std::isnan(nearest)) {
    fault = Fault::no_number;
    return std::nullopt;
  }
  if (std::isinf(nearest)) return nearest > 0 ? infinity() : -infinity();
  const bool negative = *first == '-';
  Wide mantissa = 0;
  int exponent = 0, zeros = 0;  // zeros: read, and not yet known to be followed by a digit
  bool fraction = false;
  const char* at = first + (negative ? 1 : 0);
  for (; at != end && *at != 'e' && *at != 'E'; ++at) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    if (fraction) --exponent;
    if (*at == '0') {
      ++zeros;
      continue;
    }
    if (mantissa != 0) {
      const std::optional<Wide> shifted = times_power_of_ten(mantissa, std::min(zeros, 99) + 1);
      if (!shifted) {
        fault = Fault::too_long;
        return std::nullopt;
      }
      mantissa = *shifted;
    }
    mantissa += *at - '0';
    zeros = 0;
  }
  if (mantissa == 0) return Decimal();
  exponent += zeros;
  if (at != end) {
    int given = 0;
    ++at;
    std::from_chars(*at == '+' ? at + 1 : at, end, given);
    exponent += given;
  }
  return Decimal(negative ? -mantissa : mantissa, exponent);
}

Decimal::operator double() const {
  if (!finite()) return negative() ? -std::numeric_limits<double>::infinity() : HUGE_VAL;
  const Wide m = mantissa();
  constexpr Wide kExact = Wide{1} << 53;
  // Both exact, so that their product or quotient is the nearest double.
  if (size_of(m) <= kExact && exponent_ >= -22 && exponent_ <= 22) {
    const auto power = static_cast<double>(kPowers[static_cast<std::size_t>(std::abs(exponent_))]);
    return exponent_ < 0 ? static_cast<double>(m) / power : static_cast<double>(m) * power;
  }
  const std::string digits =
      (negative() ? "-" : "") + digits_text(m) + "e" + std::to_string(exponent_);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    value = exponent_ < 0 ? 0.0 : (negative() ? -HUGE_VAL : HUGE_VAL);
  }
  return value;
}

std::string Decimal::text() const {
  if (!finite()) return negative() ? "-inf" : "inf";
  std::string text = digits_text(mantissa());
  const int digits = static_cast<int>(text.size());
  constexpr int kPlain = 40;  // longer ones are written with an exponent
  if (exponent_ > 0 ? digits + exponent_ > kPlain : -exponent_ > kPlain) {
    text += "e" + std::to_string(exponent_);
  } else if (exponent_ > 0) {
    text.append(static_cast<std::size_t>(exponent_), '0');
  } else if (exponent_ < 0) {
    if (digits <= -exponent_) text.insert(0, static_cast<std::size_t>(1 - exponent_ - digits), '0');
    text.insert(text.size() - static_cast<std::size_t>(-exponent_), ".");
  }
  return (negative() ? "-" : "") + text;
}

Decimal Decimal::operator-() const {
  Decimal d = *this;
  const Wide m = -mantissa();
  d.high_ = static_cast<std::int64_t>(m >> 64);
  d.low_ = static_cast<std::uint64_t>(m);
  return d;
}

Decimal Decimal::half() const {
  const Wide m = mantissa();
  if (!finite() || m % 2 == 0) return finite() ? Decimal(m / 2, exponent_) : *this;
  return *this * Decimal(Wide{5}, -1);
}

Decimal Decimal::floor() const {
  if (exponent_ >= 0) return *this;
  const Wide m = mantissa();
  if (-exponent_ > kDigits) return m < 0 ? Decimal(-1) : Decimal();
  const Wide power = power_of_ten(-exponent_);
  const Wide quotient = m / power;
  return {m < 0 ? quotient - 1 : quotient, 0};  // never whole: no factor of ten is left in m
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  if (!a.finite() || !b.finite()) {
    if (!a.finite() && !b.finite() && a.negative() != b.negative()) {
      throw InputError("infinity minus infinity");
    }
    return a.finite() ? b : a;
  }
  if (a.zero()) return b;
  if (b.zero()) return a;
  const int exponent = std::min(a.exponent_, b.exponent_);
  const auto left = times_power_of_ten(a.mantissa(), std::min(99, a.exponent_ - exponent));
  const auto right = times_power_of_ten(b.mantissa(), std::min(99, b.exponent_ - exponent));
  Wide sum = 0;
  if (!left || !right || __builtin_add_overflow(*left, *right, &sum)) throw TooManyDigits();
  return {sum, exponent};
}

Decimal operator*(const Decimal& a, const Decimal& b) {
  if (a.zero() || b.zero()) return {};
  if (!a.finite() || !b.finite()) {
    return a.negative() != b.negative() ? -Decimal::infinity() : Decimal::infinity();
  }
  Wide product = 0;
  if (__builtin_mul_overflow(a.mantissa(), b.mantissa(), &product)) throw TooManyDigits();
  return {product, a.exponent_ + b.exponent_};
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  if (a == b) return std::strong_ordering::equal;
  const auto sign = [](const Decimal& d) { return d.negative() ? -1 : d.zero() ? 0 : 1; };
  if (sign(a) != sign(b)) return sign(a) <=> sign(b);
  const bool both_negative = a.negative();
  const auto larger = [&](bool a_is) {
    return a_is != both_negative ? std::strong_ordering::greater : std::strong_ordering::less;
  };
  const int above_a = a.finite() ? digits_of(a.mantissa()) + a.exponent_ : Decimal::kInfinite;
  const int above_b = b.finite() ? digits_of(b.mantissa()) + b.exponent_ : Decimal::kInfinite;
  if (above_a != above_b) return larger(above_a > above_b);
  // The same number of digits before the point: aligned they have 38 at most.
  const int exponent = std::min(a.exponent_, b.exponent_);
  const Wide left = a.mantissa() * power_of_ten(a.exponent_ - exponent);
  const Wide right = b.mantissa() * power_of_ten(b.exponent_ - exponent);
  return larger(size_of(left) > size_of(right));
}

void DecimalSum::add(const Decimal& coefficient, Wide factor) {
  Wide term = 0;
  if (!fits_ || coefficient.zero() || factor == 0) return;
  fits_ = coefficient.finite() && !__builtin_mul_overflow(coefficient.mantissa(), factor, &term);
  if (!fits_) return;
  const int exponent =
      sum_ == 0 ? coefficient.exponent() : std::min(exponent_, coefficient.exponent());
  const auto scaled = times_power_of_ten(term, std::min(99, coefficient.exponent() - exponent));
  const auto before = times_power_of_ten(sum_, std::min(99, exponent_ - exponent));
  fits_ = scaled && before && !__builtin_add_overflow(*scaled, *before, &sum_);
  exponent_ = exponent;
}

std::optional<Decimal> DecimalSum::value() const {
  if (!fits_ || digits_of(sum_) > kDigits) return std::nullopt;
  return Decimal(sum_, exponent_);
}

}  // namespace chainmail
