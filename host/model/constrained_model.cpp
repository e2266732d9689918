#include "model/constrained_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr double kRelativeTolerance = 1e-9;

// A sum with the size of its terms, which bounds its rounding error. Whole numbers add up exactly
// to 2^63 where a long double has 64 bits (x86), to 2^53 at least.
struct Sum {
  long double value = 0.0;
  long double size = 0.0;
  bool whole = true;
  void add(double coefficient, std::int64_t factor) { add(coefficient, 1, factor); }
  void add(double coefficient, std::int64_t a, std::int64_t b) {
    const long double term = static_cast<long double>(coefficient) * static_cast<long double>(a) *
                             static_cast<long double>(b);
    value += term;
    size += std::abs(term);
    whole = whole && coefficient == std::floor(coefficient);
  }
};

Sum sum_of(const Expression& e, std::span<const std::int64_t> values) {
  Sum sum;
  sum.add(e.constant, 1);
  for (const LinearTerm& t : e.linear) sum.add(t.coefficient, values[t.variable]);
  for (const ProductTerm& t : e.products) sum.add(t.coefficient, values[t.i], values[t.j]);
  return sum;
}

// What a sum is beyond its limits.
double missed_by(const Sum& left, double lower, double upper) {
  return static_cast<double>(std::max({0.0L, lower - left.value, left.value - upper}));
}

void check_side(const std::string& name, const Sum& left, double lower, double upper,
                std::vector<Violation>& violations) {
  constexpr auto kExact = static_cast<long double>(
      std::uint64_t{1} << (std::numeric_limits<long double>::digits > 63 ? 63 : 53));
  const auto slack = [&](double right) -> long double {
    const bool exact = left.whole && right == std::floor(right) && left.size < kExact;
    const long double size = left.size + std::abs(static_cast<long double>(right));
    return exact ? 0.0L : kRelativeTolerance * std::max(1.0L, size);
  };
  const bool below = std::isfinite(lower) && left.value < lower - slack(lower);
  const bool above = std::isfinite(upper) && left.value > upper + slack(upper);
  if (!below && !above) return;
  const char* relation = lower == upper ? "=" : below ? ">=" : "<=";
  violations.push_back({name, static_cast<double>(left.value), relation, below ? lower : upper});
}

}  // namespace

double Expression::operator()(std::span<const std::int64_t> values) const {
  return static_cast<double>(sum_of(*this, values).value);
}

void Expression::normalise() {
  std::stable_sort(linear.begin(), linear.end(), [](const LinearTerm& a, const LinearTerm& b) {
    return a.variable < b.variable;
  });
  std::size_t kept = 0;
  for (const LinearTerm& t : linear) {
    if (kept > 0 && linear[kept - 1].variable == t.variable) {
      linear[kept - 1].coefficient += t.coefficient;
    } else {
      linear[kept++] = t;
    }
  }
  linear.resize(kept);
  std::erase_if(linear, [](const LinearTerm& t) { return t.coefficient == 0.0; });

  for (ProductTerm& t : products) {
    if (t.i > t.j) std::swap(t.i, t.j);
  }
  std::stable_sort(products.begin(), products.end(),
                   [](const ProductTerm& a, const ProductTerm& b) {
                     return std::pair(a.i, a.j) < std::pair(b.i, b.j);
                   });
  kept = 0;
  for (const ProductTerm& t : products) {
    if (kept > 0 && products[kept - 1].i == t.i && products[kept - 1].j == t.j) {
      products[kept - 1].coefficient += t.coefficient;
    } else {
      products[kept++] = t;
    }
  }
  products.resize(kept);
  std::erase_if(products, [](const ProductTerm& t) { return t.coefficient == 0.0; });
}

Evaluation evaluate(const ConstrainedModel& model, std::span<const std::int64_t> values) {
  if (values.size() != model.variables.size()) {
    throw InputError(fmt::format("expected {} values, one for each variable, found {}",
                                 model.variables.size(), values.size()));
  }
  Evaluation result;
  result.objective = model.objective(values);
  for (std::size_t v = 0; v < values.size(); ++v) {
    Sum value;
    value.add(1.0, values[v]);
    const ModelVariable& variable = model.variables[v];
    check_side(variable.name, value, variable.lower, variable.upper, result.violations);
  }
  const double sign = model.sense == Sense::minimise ? 1.0 : -1.0;
  for (const ModelConstraint& c : model.constraints) {
    if (c.when && (values[c.when->variable] != 0) != c.when->value) continue;
    const Sum left = sum_of(c.left, values);
    if (c.price > 0.0) {
      result.objective += sign * c.price * missed_by(left, c.lower, c.upper);
    } else {
      check_side(c.name, left, c.lower, c.upper, result.violations);
    }
  }
  for (const ModelSet& set : model.sets) {
    const auto count = std::count_if(set.variables.begin(), set.variables.end(),
                                     [&](std::uint32_t v) { return values[v] != 0; });
    if (count > 1) result.violations.push_back({set.name, static_cast<double>(count), "<=", 1.0});
  }
  return result;
}

bool ConstrainedModel::aimless() const {
  return objective.linear.empty() && objective.products.empty() &&
         std::none_of(constraints.begin(), constraints.end(),
                      [](const ModelConstraint& c) { return c.price > 0.0; });
}

std::vector<Violation> worst_of(std::vector<Violation> violations, std::size_t count) {
  const auto missed = [](const Violation& v) { return std::abs(v.left - v.right); };
  std::stable_sort(violations.begin(), violations.end(),
                   [&](const Violation& a, const Violation& b) { return missed(a) > missed(b); });
  if (violations.size() > count)
    violations.erase(violations.begin() + static_cast<std::ptrdiff_t>(count), violations.end());
  return violations;
}

namespace {

class Validator {
 public:
  Validator(const ConstrainedModel& model, const std::string& where)
      : model_(model), where_(where) {}

  void check() const {
    if (model_.variables.empty()) fail("the model has no variables");
    std::unordered_set<std::string> seen;
    for (const ModelVariable& v : model_.variables) {
      check_name(v.name, "variable", seen);
      if (std::isnan(v.lower) || std::isnan(v.upper) || v.lower > v.upper ||
          v.lower == kUnbounded || v.upper == -kUnbounded) {
        fail(fmt::format("variable '{}' has no value between {} and {}", v.name, v.lower, v.upper));
      }
    }
    check_expression(model_.objective, "the objective");
    seen.clear();
    for (const ModelConstraint& c : model_.constraints) {
      check_name(c.name, "constraint", seen);
      check_constraint(c);
    }
    for (const ModelSet& set : model_.sets) {
      check_name(set.name, "constraint", seen);
      std::unordered_set<std::uint32_t> members;
      for (std::uint32_t v : set.variables) {
        const std::string what = "set '" + set.name + "'";
        if (v >= model_.variables.size()) fail(what + " names a variable that does not exist");
        if (!members.insert(v).second) {
          fail(fmt::format("{} has '{}' twice", what, model_.variables[v].name));
        }
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(where_ + ": " + what); }

  void check_name(const std::string& name, const char* kind,
                  std::unordered_set<std::string>& seen) const {
    if (!is_label(name)) fail(fmt::format("a {} has a name that cannot be printed", kind));
    if (!seen.insert(name).second) fail(fmt::format("two {}s are named '{}'", kind, name));
  }

  void check_expression(const Expression& e, const std::string& what) const {
    const auto number = [&](double value) {
      if (!std::isfinite(value)) fail(what + " has a coefficient that is not finite");
    };
    const auto known = [&](std::uint32_t variable) {
      if (variable >= model_.variables.size()) fail(what + " names a variable that does not exist");
    };
    number(e.constant);
    for (const LinearTerm& t : e.linear) {
      known(t.variable);
      number(t.coefficient);
    }
    for (const ProductTerm& t : e.products) {
      known(t.i);
      known(t.j);
      number(t.coefficient);
    }
  }

  void check_constraint(const ModelConstraint& c) const {
    const std::string what = "constraint '" + c.name + "'";
    check_expression(c.left, what);
    if (std::isnan(c.lower) || std::isnan(c.upper) || c.lower > c.upper || c.lower == kUnbounded ||
        c.upper == -kUnbounded) {
      fail(what + " allows no value");
    }
    const auto binary = [&](std::uint32_t v) {
      return model_.variables[v].lower >= 0.0 && model_.variables[v].upper <= 1.0;
    };
    if (!std::isfinite(c.price) || c.price < 0.0) fail(what + " has a price that is no price");
    if (c.when && c.when->variable >= model_.variables.size()) {
      fail(what + " names a variable that does not exist");
    }
    if (c.when && !binary(c.when->variable)) {
      fail(fmt::format("{} depends on '{}', which is not binary", what,
                       model_.variables[c.when->variable].name));
    }
    if (c.left.products.empty()) return;
    if (c.when || c.price > 0.0) fail(what + " has products; it can be neither soft nor switched");
    const bool zero = c.left.linear.empty() && c.upper == c.left.constant && c.lower <= c.upper;
    for (const ProductTerm& t : c.left.products) {
      if (!zero || t.coefficient <= 0.0 || !binary(t.i) || !binary(t.j)) {
        fail(what +
             " has products; they can only be required to be zero, between binary "
             "variables: x * y = 0");
      }
    }
  }

  const ConstrainedModel& model_;
  const std::string& where_;
};

}  // namespace

void validate(const ConstrainedModel& model, const std::string& where) {
  Validator(model, where).check();
}

}  // namespace chainmail
