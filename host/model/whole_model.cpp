#include "model/whole_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "problem/form_model.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr Wide kLargest = Wide{1} << 60;

Wide size_of(Wide value) {
  return value < 0 ? -value : value;
}

// The coefficients and, for a soft constraint, the limits too: the amount by which it is missed
// counts.
struct Numbers {
  std::vector<Wide> scaled;
  int exponent = 0;  // of ten: what 1 means
  bool fits = true;
};

Numbers scaled_to_whole(const std::vector<Decimal>& values) {
  Numbers numbers;
  bool first = true;
  for (const Decimal& d : values) {
    if (d.zero()) continue;
    numbers.exponent = first ? d.exponent() : std::min(numbers.exponent, d.exponent());
    first = false;
  }
  for (const Decimal& d : values) {
    const int shift = d.zero() ? 0 : d.exponent() - numbers.exponent;
    const auto whole = times_power_of_ten(d.mantissa(), std::min(99, shift));
    numbers.fits = numbers.fits && whole;
    numbers.scaled.push_back(whole.value_or(0));
  }
  return numbers;
}

WholeForm whole_form(const ModelConstraint& c, std::uint32_t index,
                     const std::vector<WholeInterval>& bounds) {
  // Fixed terms belong to the limits: their size does not matter for the sums.
  std::vector<std::uint32_t> free;
  std::vector<Decimal> values;
  DecimalSum fixed;
  fixed.add(c.left.constant);
  for (const LinearTerm& t : c.left.linear) {
    if (bounds[t.variable].fixed()) {
      fixed.add(t.coefficient, bounds[t.variable].lower);
    } else {
      free.push_back(t.variable);
      values.push_back(t.coefficient);
    }
  }
  const auto refuse = [&]() -> InputError {
    return InputError(fmt::format(
        "constraint '{}': its coefficients, scaled to whole numbers, need more than 62 bits; "
        "use fewer digits",
        c.name));
  };
  const std::optional<Decimal> shift = fixed.value();
  if (!shift) throw refuse();
  const Decimal lower = c.lower - *shift, upper = c.upper - *shift;
  const bool soft = !c.price.zero();
  if (soft && lower.finite()) values.push_back(lower);
  if (soft && upper.finite()) values.push_back(upper);
  Numbers numbers = scaled_to_whole(values);
  Wide factor = 0;
  for (Wide value : numbers.scaled) factor = common_factor(factor, value);
  if (factor == 0) factor = 1;
  if (!numbers.fits || factor > kLargest) throw refuse();
  const auto unit = static_cast<std::int64_t>(factor);
  WholeForm form;
  form.constraint = index;
  for (std::size_t k = 0; k < free.size(); ++k) {
    const Wide coefficient = numbers.scaled[k] / factor;
    if (size_of(coefficient) > kLargest) throw refuse();
    if (coefficient != 0) form.terms.push_back({free[k], static_cast<std::int64_t>(coefficient)});
  }
  form.lower = ceil_units(lower, unit, numbers.exponent);
  form.upper = floor_units(upper, unit, numbers.exponent);
  form.price = c.price * Decimal(unit) * Decimal(Wide{1}, numbers.exponent);
  return form;
}

std::int64_t bound(const Decimal& value, bool up) {
  const Wide whole = up ? ceil_units(value, 1, 0) : floor_units(value, 1, 0);
  if (size_of(whole) > kLargest) return whole < 0 ? kNoLower : kNoUpper;
  return static_cast<std::int64_t>(whole);
}

}  // namespace

WholeModel whole_model_of(const ConstrainedModel& model) {
  WholeModel whole;
  for (const ModelVariable& v : model.variables) {
    whole.bounds.push_back({bound(v.lower, true), bound(v.upper, false)});
    if (whole.bounds.back().lower > whole.bounds.back().upper) {
      throw InputError(fmt::format("variable '{}' has no whole value between {} and {}", v.name,
                                   v.lower.text(), v.upper.text()));
    }
  }
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    const ModelConstraint& c = model.constraints[k];
    if (c.left.products.empty()) {
      (c.price.zero() ? whole.forms : whole.soft)
          .push_back(whole_form(c, static_cast<std::uint32_t>(k), whole.bounds));
      continue;
    }
    for (const ProductTerm& t : c.left.products) {
      if (t.i == t.j) {
        whole.zeros.emplace_back(static_cast<std::uint32_t>(k), t.i);
      } else {
        whole.exclusions.emplace_back(std::min(t.i, t.j), std::max(t.i, t.j));
        whole.exclusion_rows.push_back(static_cast<std::uint32_t>(k));
      }
    }
  }
  return whole;
}

}  // namespace chainmail
