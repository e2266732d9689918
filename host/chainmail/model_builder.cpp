#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "chainmail/content.hpp"
#include "problem/entries.hpp"
#include "problem/qubo_matrix.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::string named(const std::string& name, std::size_t number) {
  return name.empty() ? "x" + std::to_string(number) : name;
}

void check_size(std::size_t variables) {
  if (variables < kMaxSpins) return;
  throw InputError("model: at most " + std::to_string(kMaxSpins) + " variables are supported");
}

// Sorted, each pair once, none zero.
bool is_compact(const std::vector<ProductTermOf<double>>& products) {
  const auto in_order = [](const ProductTermOf<double>& a, const ProductTermOf<double>& b) {
    return std::pair(a.i, a.j) < std::pair(b.i, b.j);
  };
  return std::none_of(products.begin(), products.end(),
                      [](const ProductTermOf<double>& t) { return t.coefficient == 0.0; }) &&
         std::adjacent_find(products.begin(), products.end(),
                            [&](const ProductTermOf<double>& a, const ProductTermOf<double>& b) {
                              return !in_order(a, b);
                            }) == products.end();
}

}  // namespace

std::size_t ModelBuilder::add_variable(const std::string& name, std::int64_t lower,
                                       std::int64_t upper) {
  if (spins_) throw UsageError("a model cannot mix spins and other variables");
  check_size(size());
  if (lower > upper) {
    throw UsageError("'" + name + "': expected lower <= upper, found " + std::to_string(lower) +
                     " and " + std::to_string(upper));
  }
  if (lower != 0 || upper != 1) integers_ = true;
  variables_.push_back({named(name, size()), lower, upper});
  return size() - 1;
}

std::size_t ModelBuilder::add_spin(const std::string& name) {
  if (!spins_ && size() > 0) {
    throw UsageError("a model cannot mix spins and other variables");
  }
  check_size(size());
  spins_ = true;
  variables_.push_back({named(name, size()), -1, 1, true});
  return size() - 1;
}

void ModelBuilder::check(std::size_t variable, double coefficient) const {
  if (variable >= size()) {
    throw UsageError("expected a variable below " + std::to_string(size()) + ", found " +
                     std::to_string(variable));
  }
  if (!std::isfinite(coefficient)) throw UsageError("expected a finite coefficient");
}

void ModelBuilder::add_constant(double value) {
  if (!std::isfinite(value)) throw UsageError("expected a finite constant");
  objective_.constant += value;
}

void ModelBuilder::add_linear(std::size_t variable, double coefficient) {
  check(variable, coefficient);
  objective_.linear.push_back({static_cast<std::uint32_t>(variable), coefficient});
}

void ModelBuilder::add_quadratic(std::size_t first, std::size_t second, double coefficient) {
  check(first, coefficient);
  check(second, coefficient);
  if (first == second && is_binary(variables_[first])) return add_linear(first, coefficient);
  objective_.products.push_back({static_cast<std::uint32_t>(std::min(first, second)),
                                 static_cast<std::uint32_t>(std::max(first, second)), coefficient});
}

void ModelBuilder::add_product(const std::vector<std::size_t>& factors, double coefficient) {
  std::vector<std::uint32_t> variables;
  for (std::size_t variable : factors) {
    check(variable, coefficient);
    variables.push_back(static_cast<std::uint32_t>(variable));
  }
  objective_.add(std::move(variables), coefficient);
}

void ModelBuilder::add_constraint(const std::string& name, std::vector<LinearTerm> terms,
                                  double lower, double upper, const Model::Rule& rule) {
  if (spins_) throw UsageError("a model of spins cannot have constraints");
  for (const LinearTerm& term : terms) check(term.variable, static_cast<double>(term.coefficient));
  ModelConstraint constraint{
      name.empty() ? "c" + std::to_string(constraints_.size()) : name, {}, lower, upper};
  constraint.left.linear = std::move(terms);
  for (const auto& [i, j, coefficient] : rule.products) {
    check(i, coefficient);
    check(j, coefficient);
    constraint.left.products.push_back({static_cast<std::uint32_t>(std::min(i, j)),
                                        static_cast<std::uint32_t>(std::max(i, j)), coefficient});
  }
  constraint.left.normalise();
  if (!std::isfinite(rule.price) || rule.price < 0.0) {
    throw UsageError("'" + constraint.name + "': expected a finite price of 0 or more");
  }
  constraint.price = rule.price;
  if (rule.when) {
    check(rule.when->variable, 0.0);
    constraint.when = {static_cast<std::uint32_t>(rule.when->variable), rule.when->value};
  }
  constraints_.push_back(std::move(constraint));
}

void ModelBuilder::add_set(const std::string& name, const std::vector<std::size_t>& variables) {
  if (spins_) throw UsageError("a model of spins cannot have constraints");
  ModelSet set{name.empty() ? "s" + std::to_string(sets_.size()) : name, {}};
  for (std::size_t variable : variables) {
    check(variable, 0.0);
    set.variables.push_back(static_cast<std::uint32_t>(variable));
  }
  sets_.push_back(std::move(set));
}

void ModelBuilder::compact() {
  if (!is_compact(objective_.products)) objective_.normalise();
}

// The diagonal and the pairs in their order, as a file of the same matrix has them, so that both
// give the same bits.
Problem ModelBuilder::to_problem() const {
  const double sign = maximise_ ? -1.0 : 1.0;
  Problem problem;
  problem.user = {spins_ ? "energy" : UserObjective::kQubo, sign, 0.0};
  double constant = sign * objective_.constant;

  std::optional<std::vector<ProductTermOf<double>>> sorted;
  if (!is_compact(objective_.products)) {
    ExpressionOf<double> copy{{}, objective_.products, 0.0};
    copy.normalise();
    sorted = std::move(copy.products);
  }
  const std::vector<ProductTermOf<double>>& products = sorted ? *sorted : objective_.products;

  std::vector<Coupling> diagonal, pairs;
  for (std::uint32_t i = 0; i < size(); ++i) diagonal.push_back({i, i, 0.0});
  for (const auto& term : objective_.linear) {
    diagonal[term.variable].value += sign * term.coefficient;
  }
  pairs.reserve(products.size());
  for (const ProductTermOf<double>& term : products) {
    const double value = sign * term.coefficient;
    if (term.i != term.j) {
      pairs.push_back({term.i, term.j, value});
    } else if (spins_) {
      constant += value;
    } else {
      diagonal[term.i].value += value;
    }
  }
  if (spins_) {
    Quadratic& f = problem.objective;
    f = Quadratic(size());
    f.offset = constant;
    for (const Coupling& field : diagonal) f.fields[field.i] -= field.value;
    for (Coupling& pair : pairs) pair.value = -pair.value;
    f.couplings = std::move(pairs);
    f.normalise();
  } else {
    problem.objective = qubo_in_spins(size(), diagonal, std::move(pairs), constant);
  }
  for (const ModelVariable& variable : variables_) problem.names.push_back(variable.name);
  problem.name = title_;
  return problem;
}

ConstrainedModel ModelBuilder::to_model() const {
  ConstrainedModel model;
  model.name = title_;
  model.sense = maximise_ ? Sense::maximise : Sense::minimise;
  model.variables = variables_;
  model.objective.constant = objective_.constant;
  for (const auto& t : objective_.linear) {
    model.objective.linear.push_back({t.variable, t.coefficient});
  }
  for (const auto& t : objective_.products) {
    model.objective.products.push_back({t.i, t.j, t.coefficient});
  }
  for (const auto& t : objective_.monomials) {
    model.objective.monomials.push_back({t.variables, t.coefficient});
  }
  model.objective.normalise();
  model.constraints = constraints_;
  model.sets = sets_;
  validate(model, "model");
  return model;
}

Source ModelBuilder::to_source() const {
  if (size() == 0) throw InputError("model: expected at least one variable");
  if (constrained()) return source_of(to_model(), "model");
  Problem problem = to_problem();
  validate(problem, "model");
  return source_of(std::move(problem));
}

}  // namespace chainmail
