#include "model/constrained_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

DecimalSum sum_of(const Expression& e, std::span<const std::int64_t> values) {
  DecimalSum sum;
  sum.add(e.constant);
  for (const LinearTerm& t : e.linear) sum.add(t.coefficient, values[t.variable]);
  for (const ProductTerm& t : e.products) {
    sum.add(t.coefficient, static_cast<Wide>(values[t.i]) * values[t.j]);
  }
  for (const Monomial& t : e.monomials) {
    Wide product = 1;
    bool fits = true;
    for (std::uint32_t v : t.variables) {
      fits = fits && !__builtin_mul_overflow(product, Wide{values[v]}, &product);
    }
    sum.add(fits ? t.coefficient : Decimal::infinity(), fits ? product : 1);
  }
  return sum;
}

// In double, since the last digit does not matter here.
double nearly(const Expression& e, std::span<const std::int64_t> values) {
  if (const auto exact = sum_of(e, values).value()) return static_cast<double>(*exact);
  auto sum = static_cast<double>(e.constant);
  for (const LinearTerm& t : e.linear) {
    sum += static_cast<double>(t.coefficient) * static_cast<double>(values[t.variable]);
  }
  for (const ProductTerm& t : e.products) {
    sum += static_cast<double>(t.coefficient) * static_cast<double>(values[t.i]) *
           static_cast<double>(values[t.j]);
  }
  for (const Monomial& t : e.monomials) {
    auto value = static_cast<double>(t.coefficient);
    for (std::uint32_t v : t.variables) value *= static_cast<double>(values[v]);
    sum += value;
  }
  return sum;
}

void check_side(const std::string& name, const Decimal& left, const Decimal& lower,
                const Decimal& upper, std::vector<Violation>& violations) {
  const bool below = left<lower, above = left> upper;
  if (!below && !above) return;
  const char* relation = lower == upper ? "=" : below ? ">=" : "<=";
  violations.push_back(
      {name, static_cast<double>(left), relation, static_cast<double>(below ? lower : upper)});
}

}  // namespace

template <>
double Expression::operator()(std::span<const std::int64_t> values) const {
  return nearly(*this, values);
}

template <>
Decimal Expression::exactly(std::span<const std::int64_t> values) const {
  const std::optional<Decimal> sum = sum_of(*this, values).value();
  if (!sum) throw TooManyDigits();
  return *sum;
}

template <typename Number>
void ExpressionOf<Number>::normalise() {
  using Linear = LinearTermOf<Number>;
  using Product = ProductTermOf<Number>;
  using Higher = MonomialOf<Number>;
  const auto is_zero = [](const auto& term) { return term.coefficient == Number(0); };
  std::stable_sort(linear.begin(), linear.end(),
                   [](const Linear& a, const Linear& b) { return a.variable < b.variable; });
  std::size_t kept = 0;
  for (const Linear& t : linear) {
    if (kept > 0 && linear[kept - 1].variable == t.variable) {
      linear[kept - 1].coefficient += t.coefficient;
    } else {
      linear[kept++] = t;
    }
  }
  linear.resize(kept);
  std::erase_if(linear, is_zero);

  for (Product& t : products) {
    if (t.i > t.j) std::swap(t.i, t.j);
  }
  std::stable_sort(products.begin(), products.end(), [](const Product& a, const Product& b) {
    return std::pair(a.i, a.j) < std::pair(b.i, b.j);
  });
  kept = 0;
  for (const Product& t : products) {
    if (kept > 0 && products[kept - 1].i == t.i && products[kept - 1].j == t.j) {
      products[kept - 1].coefficient += t.coefficient;
    } else {
      products[kept++] = t;
    }
  }
  products.resize(kept);
  std::erase_if(products, is_zero);

  for (Higher& t : monomials) std::sort(t.variables.begin(), t.variables.end());
  std::stable_sort(monomials.begin(), monomials.end(),
                   [](const Higher& a, const Higher& b) { return a.variables < b.variables; });
  kept = 0;
  for (std::size_t k = 0; k < monomials.size(); ++k) {
    if (kept > 0 && monomials[kept - 1].variables == monomials[k].variables) {
      monomials[kept - 1].coefficient += monomials[k].coefficient;
    } else if (kept++ != k) {
      monomials[kept - 1] = std::move(monomials[k]);
    }
  }
  monomials.resize(kept);
  std::erase_if(monomials, is_zero);
}

template <typename Number>
void ExpressionOf<Number>::add(std::vector<std::uint32_t> variables, const Number& coefficient) {
  std::sort(variables.begin(), variables.end());
  switch (variables.size()) {
    case 0:
      constant += coefficient;
      break;
    case 1:
      linear.push_back({variables[0], coefficient});
      break;
    case 2:
      products.push_back({variables[0], variables[1], coefficient});
      break;
    default:
      monomials.push_back({std::move(variables), coefficient});
  }
}
template void ExpressionOf<Decimal>::add(std::vector<std::uint32_t>, const Decimal&);
template void ExpressionOf<double>::add(std::vector<std::uint32_t>, const double&);
template void ExpressionOf<Decimal>::normalise();
template void ExpressionOf<double>::normalise();

Evaluation evaluate(const ConstrainedModel& model, std::span<const std::int64_t> values) {
  if (values.size() != model.variables.size()) {
    throw InputError(fmt::format("expected {} values, one for each variable, found {}",
                                 model.variables.size(), values.size()));
  }
  Evaluation result;
  DecimalSum objective = sum_of(model.objective, values);
  result.objective = model.objective(values);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const ModelVariable& variable = model.variables[v];
    check_side(variable.name, values[v], variable.lower, variable.upper, result.violations);
    if (variable.spin && values[v] == 0)
      result.violations.push_back({variable.name, 0.0, ">=", 1.0});
  }
  const int sign = model.sense == Sense::minimise ? 1 : -1;
  for (const ModelConstraint& c : model.constraints) {
    if (c.when && (values[c.when->variable] != 0) != c.when->value) continue;
    const std::optional<Decimal> left = sum_of(c.left, values).value();
    if (!left) {
      throw InputError(
          fmt::format("constraint '{}': its sum would need more than 38 digits", c.name));
    }
    if (c.price.zero()) {
      check_side(c.name, *left, c.lower, c.upper, result.violations);
    } else if (*left < c.lower || *left > c.upper) {
      const Decimal missed = c.price * (*left < c.lower ? c.lower - *left : *left - c.upper);
      objective.add(missed, sign);
      result.objective += sign * static_cast<double>(missed);
    }
  }
  result.exact = objective.value();
  if (result.exact) result.objective = static_cast<double>(*result.exact);
  for (const ModelSet& set : model.sets) {
    const auto count = std::count_if(set.variables.begin(), set.variables.end(),
                                     [&](std::uint32_t v) { return values[v] != 0; });
    if (count > 1) result.violations.push_back({set.name, static_cast<double>(count), "<=", 1.0});
  }
  return result;
}

bool is_binary(const ModelVariable& variable) {
  return variable.lower >= 0 && variable.upper <= 1;
}

bool is_linear(const ModelConstraint& c) {
  return c.left.products.empty() && c.left.monomials.empty();
}

bool excludes(const ModelConstraint& c) {
  return !c.left.products.empty() && c.left.monomials.empty() && c.left.linear.empty() &&
         c.upper == c.left.constant && c.lower <= c.upper && !c.when && c.price.zero() &&
         std::all_of(c.left.products.begin(), c.left.products.end(),
                     [](const ProductTerm& t) { return t.coefficient > 0; });
}

bool ConstrainedModel::no_objective() const {
  return objective.linear.empty() && objective.products.empty() && objective.monomials.empty() &&
         std::none_of(constraints.begin(), constraints.end(),
                      [](const ModelConstraint& c) { return !c.price.zero(); });
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
      if (v.lower > v.upper || v.lower == kUnbounded || v.upper == -kUnbounded) {
        fail(fmt::format("variable '{}' has no value between {} and {}", v.name, v.lower.text(),
                         v.upper.text()));
      }
      if (v.spin && (v.lower.magnitude() != 1 || v.upper.magnitude() != 1)) {
        fail(fmt::format("spin '{}' has bounds {} and {}; it is -1 or 1", v.name, v.lower.text(),
                         v.upper.text()));
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
  // Sums and squares of numbers must stay doubles.
  static constexpr int kMostPower = 150, kMostDigits = 38;
  static const Decimal& largest() {
    static const Decimal limit(Wide{1}, kMostPower);
    return limit;
  }
  [[noreturn]] void fail(const std::string& what) const { throw InputError(where_ + ": " + what); }

  void check_name(const std::string& name, const char* kind,
                  std::unordered_set<std::string>& seen) const {
    if (!is_label(name)) fail(fmt::format("a {} has a name that cannot be printed", kind));
    if (!seen.insert(name).second) fail(fmt::format("two {}s are named '{}'", kind, name));
  }

  void check_expression(const Expression& e, const std::string& what) const {
    const auto number = [&](const Decimal& value) {
      if (!value.finite()) fail(what + " has a coefficient that is not finite");
      if (value.exponent() + kMostDigits > kMostPower && value.magnitude() > largest()) {
        fail(fmt::format("{} has the number {:.3g}; numbers beyond 1e{} are refused", what,
                         static_cast<double>(value), kMostPower));
      }
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
    for (const Monomial& t : e.monomials) {
      for (std::uint32_t v : t.variables) known(v);
      number(t.coefficient);
    }
  }

  void check_constraint(const ModelConstraint& c) const {
    const std::string what = "constraint '" + c.name + "'";
    check_expression(c.left, what);
    if (c.lower > c.upper || c.lower == kUnbounded || c.upper == -kUnbounded) {
      fail(what + " allows no value");
    }
    if (!c.price.finite() || c.price < 0)
      fail(what + " has a price that is negative or not finite");
    if (c.when && c.when->variable >= model_.variables.size()) {
      fail(what + " names a variable that does not exist");
    }
    if (c.when && !is_binary(model_.variables[c.when->variable])) {
      fail(fmt::format("{} depends on '{}', which is not binary", what,
                       model_.variables[c.when->variable].name));
    }
    const auto in_product = [&](std::uint32_t v) {
      if (is_binary(model_.variables[v])) return;
      fail(
          fmt::format("{} has a product of '{}', which is not binary; only the objective can have "
                      "such products",
                      what, model_.variables[v].name));
    };
    for (const ProductTerm& t : c.left.products) in_product(t.i), in_product(t.j);
    for (const Monomial& t : c.left.monomials) {
      std::for_each(t.variables.begin(), t.variables.end(), in_product);
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
