#include "model/whole_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr double kRoundedRange = 0x1.0p20;  // of sums whose coefficients had to be rounded
constexpr double kLeastRounded = 8.0;       // units; a smaller coefficient changes too much
constexpr Wide kWidest = Wide{1} << 52;     // of sums that double precision adds up exactly

void set_limits(WholeRow& row, Wide lower, Wide upper) {
  const auto clamp = [&](Wide value) {
    return static_cast<std::int64_t>(std::clamp<Wide>(value, row.least - 1, row.most + 1));
  };
  row.lower = clamp(lower);
  row.upper = clamp(upper);
}

// In multiples of the largest number that all coefficients are multiples of; nothing where sums
// need more than 52 bits.
std::optional<WholeRow> in_whole_numbers(const ModelConstraint& c,
                                         const std::vector<WholeBounds>& bounds) {
  int exponent = 0;
  for (std::size_t k = 0; k < c.left.linear.size(); ++k) {
    const int given = c.left.linear[k].coefficient.exponent();
    exponent = k == 0 ? given : std::min(exponent, given);
  }
  std::vector<Wide> scaled;
  Wide factor = 0;
  for (const LinearTerm& t : c.left.linear) {
    const auto whole = times_power_of_ten(t.coefficient.mantissa(),
                                          std::min(99, t.coefficient.exponent() - exponent));
    if (!whole) return std::nullopt;
    scaled.push_back(*whole);
    factor = common_factor(factor, *whole);
  }
  if (factor == 0) factor = 1;
  if (factor > kWidest) return std::nullopt;
  WholeRow row{};
  Wide least = 0, most = 0;
  for (std::size_t k = 0; k < scaled.size(); ++k) {
    const std::uint32_t v = c.left.linear[k].variable;
    const Wide value = scaled[k] / factor;
    if (value > kWidest || value < -kWidest) return std::nullopt;
    row.terms.push_back({v, static_cast<std::int64_t>(value)});
    least += std::min(value * bounds[v].lower, value * bounds[v].upper);
    most += std::max(value * bounds[v].lower, value * bounds[v].upper);
  }
  if (least < -kWidest || most > kWidest) return std::nullopt;
  row.least = static_cast<std::int64_t>(least);
  row.most = static_cast<std::int64_t>(most);
  row.unit = static_cast<double>(Decimal(factor, exponent));
  const auto unit = static_cast<std::int64_t>(factor);
  set_limits(row, ceil_units(c.lower - c.left.constant, unit, exponent),
             floor_units(c.upper - c.left.constant, unit, exponent));
  return row;
}

std::optional<WholeRow> make_exact(const ModelConstraint& c,
                                   const std::vector<WholeBounds>& bounds) {
  std::optional<WholeRow> row = in_whole_numbers(c, bounds);
  if (!row || row->most - row->least < kExactRange || row->redundant()) return row;
  const bool one_sided = !c.lower.finite() || !c.upper.finite();
  const bool whole = std::all_of(c.left.linear.begin(), c.left.linear.end(),
                                 [](const LinearTerm& t) { return t.coefficient.whole(); });
  if (whole || !one_sided) {
    throw InputError(
        fmt::format("'{}': its left side takes {:.6g} values in steps of {:.6g}; at most {} can be "
                    "distinguished: bound its variables more tightly",
                    c.name, static_cast<double>(row->most - row->least), row->unit, kExactRange));
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
    width += std::abs(static_cast<double>(t.coefficient)) * static_cast<double>(b.upper - b.lower);
  }
  const double unit = std::max(width / kRoundedRange, 1e-300);
  const bool at_most = !c.lower.finite();
  const bool at_least = !c.upper.finite();
  WholeRow row{};
  row.unit = unit;
  row.exact = false;
  auto shift = static_cast<double>(
      c.left.constant);  // the sum at the lower bounds, taken out before rounding
  std::int64_t shift_whole = 0;
  for (const LinearTerm& t : c.left.linear) {
    const WholeBounds& b = bounds[t.variable];
    const auto coefficient = static_cast<double>(t.coefficient);
    shift += coefficient * static_cast<double>(b.lower);
    if (b.lower == b.upper) continue;  // may be far wider than the range, and is all in the shift
    const double value = coefficient / unit;
    if (std::abs(value) < kLeastRounded) {
      throw InputError(fmt::format(
          "'{}': the coefficient {:.6g} is lost in a left side that spans {:.6g}; bound its "
          "variables more tightly",
          c.name, coefficient, width));
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
  const double lower = (static_cast<double>(c.lower) - shift) / unit + base;
  const double upper = (static_cast<double>(c.upper) - shift) / unit + base;
  const bool equation = c.lower == c.upper;
  const auto whole = [](double value) { return static_cast<Wide>(std::clamp(value, -1e18, 1e18)); };
  set_limits(row, whole(equation ? std::round(lower) : std::ceil(lower)),
             whole(equation ? std::round(upper) : std::floor(upper)));
  row.note = fmt::format(
      "'{}': coefficients are rounded to multiples of {:.3g}; {}", c.name, unit,
      at_most || at_least
          ? fmt::format(
                "no solution that violates it is accepted, but some within {:.3g} of its limit may "
                "be excluded",
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
