#include "model/whole_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr double kRoundedRange = 0x1.0p20;  // of sums whose coefficients had to be rounded
constexpr double kLeastRounded = 8.0;       // units; a smaller coefficient changes too much
constexpr double kNearlyWhole = 1e-9;

// value * 10^digits where that is the decimal the user wrote: no other decimal of so many digits is
// as near. Terms of one variable are added up as they are read, so the last bit may be off.
std::optional<double> scaled_decimal(double value, double power) {
  const double whole = std::round(value * power);
  const bool near = std::abs(whole / power - value) <= 0x1.0p-51 * std::abs(value);
  if (std::abs(whole) >= 0x1.0p49 || !near) return std::nullopt;
  return whole;
}

// The least power of ten that makes every coefficient whole.
std::optional<double> decimal_scale(const Expression& left) {
  double power = 1.0;
  for (int digits = 0; digits <= 9; ++digits, power *= 10.0) {
    const bool fits = std::all_of(left.linear.begin(), left.linear.end(), [&](const LinearTerm& t) {
      return scaled_decimal(t.coefficient, power).has_value();
    });
    if (fits) return power;
  }
  return std::nullopt;
}

struct Range {
  double least = 0.0, most = 0.0;
};

Range range_of(const std::vector<LinearTerm>& terms, const std::vector<WholeBounds>& bounds) {
  Range range;
  for (const LinearTerm& t : terms) {
    const double low = t.coefficient * static_cast<double>(bounds[t.variable].lower);
    const double high = t.coefficient * static_cast<double>(bounds[t.variable].upper);
    range.least += std::min(low, high);
    range.most += std::max(low, high);
  }
  return range;
}

double floor_near(double value) {
  const double nearest = std::round(value);
  return std::abs(value - nearest) <= kNearlyWhole * std::max(1.0, std::abs(value))
             ? nearest
             : std::floor(value);
}
double ceil_near(double value) {
  return -floor_near(-value);
}

void set_limits(WholeRow& row, double lower, double upper) {
  const auto clamp = [&](double value) {
    return static_cast<std::int64_t>(std::clamp(value, static_cast<double>(row.least) - 1.0,
                                                static_cast<double>(row.most) + 1.0));
  };
  row.lower = clamp(lower);
  row.upper = clamp(upper);
}

void divide_by_common_factor(WholeRow& row, double& lower, double& upper) {
  std::int64_t factor = 0;
  for (const WholeTerm& t : row.terms) factor = std::gcd(factor, t.coefficient);
  if (factor <= 1) return;
  for (WholeTerm& t : row.terms) t.coefficient /= factor;
  row.least /= factor;
  row.most /= factor;
  row.unit *= static_cast<double>(factor);
  lower = ceil_near(lower / static_cast<double>(factor));
  upper = floor_near(upper / static_cast<double>(factor));
}

std::optional<WholeRow> make_exact(const ModelConstraint& c,
                                   const std::vector<WholeBounds>& bounds) {
  const std::optional<double> scale = decimal_scale(c.left);
  if (!scale) return std::nullopt;
  std::vector<LinearTerm> scaled = c.left.linear;
  for (LinearTerm& t : scaled) t.coefficient = *scaled_decimal(t.coefficient, *scale);
  const Range range = range_of(scaled, bounds);
  if (!(std::max(std::abs(range.least), std::abs(range.most)) < 0x1.0p52)) return std::nullopt;

  WholeRow row{};
  for (const LinearTerm& t : scaled) {
    row.terms.push_back({t.variable, static_cast<std::int64_t>(t.coefficient)});
  }
  row.least = static_cast<std::int64_t>(range.least);
  row.most = static_cast<std::int64_t>(range.most);
  row.unit = 1.0 / *scale;
  double lower = ceil_near((c.lower - c.left.constant) * *scale);
  double upper = floor_near((c.upper - c.left.constant) * *scale);
  divide_by_common_factor(row, lower, upper);
  set_limits(row, lower, upper);
  if (row.most - row.least < kExactRange || row.redundant()) return row;
  const bool one_sided = std::isinf(c.lower) || std::isinf(c.upper);
  if (*scale == 1.0 || !one_sided) {
    throw InputError(
        fmt::format("'{}': its left side takes {:.6g} values in steps of {:.6g}; at most "
                    "{} can be told apart: bound its variables more tightly",
                    c.name, static_cast<double>(row.most - row.least), row.unit, kExactRange));
  }
  return std::nullopt;
}

// Conservative for a one-sided constraint: rounding away from the limit accepts no solution that
// violates it. Equations and two-sided ones are rounded to the nearest, where their coefficients
// are no short decimals; what passes is judged on the constraint as given.
WholeRow make_rounded(const ModelConstraint& c, const std::vector<WholeBounds>& bounds) {
  double width = 0.0;  // term by term: the difference of two large limits would lose it
  for (const LinearTerm& t : c.left.linear) {
    const WholeBounds& b = bounds[t.variable];
    width += std::abs(t.coefficient) * static_cast<double>(b.upper - b.lower);
  }
  const double unit = std::max(width / kRoundedRange, 1e-300);
  const bool at_most = std::isinf(c.lower);
  const bool at_least = std::isinf(c.upper);
  WholeRow row{};
  row.unit = unit;
  row.exact = false;
  double shift = c.left.constant;  // the sum at the lower bounds, taken out before rounding
  std::int64_t shift_whole = 0;
  for (const LinearTerm& t : c.left.linear) {
    const WholeBounds& b = bounds[t.variable];
    shift += t.coefficient * static_cast<double>(b.lower);
    if (b.lower == b.upper) continue;  // may be far wider than the range, and is all in the shift
    const double value = t.coefficient / unit;
    if (std::abs(value) < kLeastRounded) {
      throw InputError(fmt::format(
          "'{}': the coefficient {:.6g} is lost beside a left side that spans {:.6g}; bound its "
          "variables more tightly",
          c.name, t.coefficient, width));
    }
    const double rounded = at_most    ? std::ceil(value)
                           : at_least ? std::floor(value)
                                      : std::round(value);
    const auto whole = static_cast<std::int64_t>(rounded);
    row.terms.push_back({t.variable, whole});
    shift_whole += whole * b.lower;
    row.least += std::min(whole * b.lower, whole * b.upper);
    row.most += std::max(whole * b.lower, whole * b.upper);
  }
  const double base = static_cast<double>(shift_whole);
  const double lower = (c.lower - shift) / unit + base;
  const double upper = (c.upper - shift) / unit + base;
  const bool equation = c.lower == c.upper;
  set_limits(row, equation ? std::round(lower) : std::ceil(lower),
             equation ? std::round(upper) : std::floor(upper));
  row.note = fmt::format(
      "'{}': coefficients are rounded to multiples of {:.3g}; {}", c.name, unit,
      at_most || at_least
          ? fmt::format("no solution that violates it passes, some within {:.3g} of its limit may "
                        "be left out",
                        unit * static_cast<double>(c.left.linear.size() + 1))
          : fmt::format("it holds to within {:.3g}",
                        0.5 * unit * static_cast<double>(c.left.linear.size() + 1)));
  return row;
}

}  // namespace

WholeRow make_whole(const ModelConstraint& constraint, const std::vector<WholeBounds>& bounds) {
  if (std::optional<WholeRow> row = make_exact(constraint, bounds)) return *row;
  return make_rounded(constraint, bounds);
}

}  // namespace chainmail
