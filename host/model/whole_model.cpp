#include "model/whole_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "problem/form_model.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): pedantic
constexpr double kNearlyWhole = 1e-9;
constexpr double kLargest = 0x1.0p60;

// mantissa * 10^exponent
struct Decimal {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

// The shortest decimal that reads back as this double: what a person or a program wrote.
Decimal shortest_decimal(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  Decimal d;
  const char* at = text;
  const bool negative = *at == '-';
  if (negative) ++at;
  bool fraction = false;
  for (; at != end.ptr && *at != 'e'; ++at) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    d.mantissa = 10 * d.mantissa + (*at - '0');
    if (fraction) --d.exponent;
  }
  int shift = 0;
  const char* digits = at + 1 < end.ptr && at[1] == '+' ? at + 2 : at + 1;
  std::from_chars(digits, end.ptr, shift);
  d.exponent += shift;
  while (d.mantissa != 0 && d.mantissa % 10 == 0) {
    d.mantissa /= 10;
    ++d.exponent;
  }
  if (d.mantissa == 0) d.exponent = 0;
  if (negative) d.mantissa = -d.mantissa;
  return d;
}

// value * 10^digits where that is the decimal the user wrote: terms of one variable are added up as
// they are read, so the last bits may be off.
std::optional<std::int64_t> nearly_whole(double value, double power) {
  const double whole = std::round(value * power);
  const bool near = std::abs(whole / power - value) <= 0x1.0p-45 * std::abs(value);
  if (!near || std::abs(whole) >= 0x1.0p49) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

// Coefficients in whole numbers and the power of ten they were scaled by.
struct Scaled {
  std::vector<std::int64_t> values;
  int digits = 0;
};

std::optional<Scaled> few_digits(const std::vector<LinearTerm>& terms) {
  double power = 1.0;
  for (int digits = 0; digits <= 9; ++digits, power *= 10.0) {
    Scaled scaled{{}, digits};
    for (const LinearTerm& t : terms) {
      const auto whole = nearly_whole(t.coefficient, power);
      if (!whole) break;
      scaled.values.push_back(*whole);
    }
    if (scaled.values.size() == terms.size()) return scaled;
  }
  return std::nullopt;
}

std::optional<Scaled> all_digits(const std::vector<LinearTerm>& terms) {
  std::vector<Decimal> decimals;
  int least = 0;
  for (const LinearTerm& t : terms) {
    decimals.push_back(shortest_decimal(t.coefficient));
    least = std::min(least, decimals.back().exponent);
  }
  Scaled scaled{{}, -least};
  for (Decimal& d : decimals) {
    Wide value = d.mantissa;
    for (; d.exponent > least; --d.exponent) {
      value *= 10;
      if (value > kNoUpper || value < kNoLower) return std::nullopt;
    }
    scaled.values.push_back(static_cast<std::int64_t>(value));
  }
  return scaled;
}

// A side in the same units: rounded inwards, for the sum is whole.
std::int64_t side(double value, double constant, int digits, bool up) {
  if (std::isinf(value)) return value < 0 ? kNoLower : kNoUpper;
  const double scaled = (value - constant) * std::pow(10.0, digits);
  if (std::abs(scaled) > kLargest) return scaled < 0 ? kNoLower + 1 : kNoUpper - 1;
  const double nearest = std::round(scaled);
  const double tolerance =
      digits == 0 && std::abs(scaled) < 0x1.0p40 ? 1e-9 : kNearlyWhole * std::abs(scaled);
  if (std::abs(scaled - nearest) <= std::max(1e-9, std::min(tolerance, 0.25))) {
    return static_cast<std::int64_t>(nearest);
  }
  return static_cast<std::int64_t>(up ? std::ceil(scaled) : std::floor(scaled));
}

WholeForm whole_form(const ModelConstraint& c, std::uint32_t index) {
  std::vector<LinearTerm> numbers = c.left.linear;
  // How far a soft constraint is missed counts, so its limits must not be rounded either.
  if (c.price > 0.0) {
    for (double limit : {c.lower, c.upper}) {
      if (std::isfinite(limit)) numbers.push_back({0, limit - c.left.constant});
    }
  }
  std::optional<Scaled> scaled = few_digits(numbers);
  if (!scaled) scaled = all_digits(numbers);
  if (!scaled || scaled->digits > 18) {
    throw InputError(fmt::format(
        "constraint '{}': its coefficients, scaled to whole numbers, need more than 62 bits; give "
        "them fewer digits",
        c.name));
  }
  WholeForm form;
  form.constraint = index;
  for (std::size_t k = 0; k < c.left.linear.size(); ++k) {
    if (scaled->values[k] != 0)
      form.terms.push_back({c.left.linear[k].variable, scaled->values[k]});
  }
  form.lower = side(c.lower, c.left.constant, scaled->digits, true);
  form.upper = side(c.upper, c.left.constant, scaled->digits, false);
  form.price = c.price / std::pow(10.0, scaled->digits);
  return form;
}

std::int64_t bound(double value, bool up) {
  if (std::abs(value) > kLargest) return value < 0 ? kNoLower : kNoUpper;
  const double near = std::round(value);
  if (std::abs(value - near) <= kNearlyWhole * std::max(1.0, std::abs(value))) {
    return static_cast<std::int64_t>(near);
  }
  return static_cast<std::int64_t>(up ? std::ceil(value) : std::floor(value));
}

}  // namespace

WholeModel whole_model_of(const ConstrainedModel& model) {
  WholeModel whole;
  for (const ModelVariable& v : model.variables) {
    whole.bounds.push_back({bound(v.lower, true), bound(v.upper, false)});
    if (whole.bounds.back().lower > whole.bounds.back().upper) {
      throw InputError(fmt::format("variable '{}' has no whole value between {} and {}", v.name,
                                   v.lower, v.upper));
    }
  }
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    const ModelConstraint& c = model.constraints[k];
    if (c.left.products.empty()) {
      (c.price > 0.0 ? whole.soft : whole.forms)
          .push_back(whole_form(c, static_cast<std::uint32_t>(k)));
      continue;
    }
    for (const ProductTerm& t : c.left.products) {
      if (t.i == t.j) {
        whole.bounds[t.i].upper = 0;  // x x = 0
      } else {
        whole.exclusions.emplace_back(std::min(t.i, t.j), std::max(t.i, t.j));
      }
    }
  }
  return whole;
}

}  // namespace chainmail
