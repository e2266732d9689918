// A constrained problem as the user wrote it: named binary and bounded integer variables and spins,
// a polynomial to minimise or maximise, and named constraints, all numbers as they were written.
// Readers fill it, compile() turns it into f and g, evaluate() judges answers in its own terms.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/decimal.hpp"

namespace chainmail {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

enum class Sense { minimise, maximise };

// Takes whole values from lower to upper; a binary variable is 0 to 1, a spin -1 or 1, never 0.
struct ModelVariable {
  std::string name;
  Decimal lower = 0;
  Decimal upper = 1;
  bool spin = false;
  bool operator==(const ModelVariable&) const = default;
};

template <typename Number>
struct LinearTermOf {
  std::uint32_t variable;
  Number coefficient;
  bool operator==(const LinearTermOf&) const = default;
};

// coefficient * x_i * x_j with i <= j; i = j is a square.
template <typename Number>
struct ProductTermOf {
  std::uint32_t i, j;
  Number coefficient;
  bool operator==(const ProductTermOf&) const = default;
};

// coefficient * the product of three or more variables, ascending; one that repeats is a power.
template <typename Number>
struct MonomialOf {
  std::vector<std::uint32_t> variables;
  Number coefficient;
  bool operator==(const MonomialOf&) const = default;
};

template <typename Number>
struct ExpressionOf {
  std::vector<LinearTermOf<Number>> linear;
  std::vector<ProductTermOf<Number>> products;
  Number constant = 0;
  std::vector<MonomialOf<Number>> monomials = {};

  // A term of any degree, where it belongs.
  void add(std::vector<std::uint32_t> variables, const Number& coefficient);

  double operator()(std::span<const std::int64_t> values) const;
  Decimal exactly(std::span<const std::int64_t> values) const;  // throws TooManyDigits
  // Sorts, adds up terms of the same variables, drops zeros.
  void normalise();
  bool operator==(const ExpressionOf&) const = default;
};

using LinearTerm = LinearTermOf<Decimal>;
using ProductTerm = ProductTermOf<Decimal>;
using Monomial = MonomialOf<Decimal>;
using Expression = ExpressionOf<Decimal>;

// lower <= left <= upper. An equation has equal sides; a one-sided constraint one that is infinite.
// Products in a constraint are of binary variables.
struct ModelConstraint {
  std::string name;
  Expression left;
  Decimal lower = -kUnbounded;
  Decimal upper = kUnbounded;
  // An indicator: the constraint counts only while this binary has this value.
  struct When {
    std::uint32_t variable;
    bool value;
    bool operator==(const When&) const = default;
  };
  std::optional<When> when = std::nullopt;
  // A soft constraint may be missed, at this price per unit; 0: it must hold.
  Decimal price = 0;
  bool operator==(const ModelConstraint&) const = default;
};

bool is_binary(const ModelVariable& variable);
bool is_linear(const ModelConstraint& constraint);
// Whether it is a sum of products of two that forces every one of them to zero (x y = 0).
bool excludes(const ModelConstraint& constraint);

// At most one of these is not zero (SOS1).
struct ModelSet {
  std::string name;
  std::vector<std::uint32_t> variables;
  bool operator==(const ModelSet&) const = default;
};

// What a file asks to be shown of an answer (FlatZinc).
struct ModelOutput {
  std::string name;
  std::string shape;   // "array2d(1..3, 0..4"; empty: a single value
  bool truth = false;  // 1 is true, 0 false
  struct Value {
    std::optional<std::uint32_t> variable;
    std::int64_t number = 0;  // where it is none
    bool operator==(const Value&) const = default;
  };
  std::vector<Value> values;
  bool operator==(const ModelOutput&) const = default;
};

struct ConstrainedModel {
  std::string name;
  Sense sense = Sense::minimise;
  std::string objective_name = "objective";
  std::vector<ModelVariable> variables;
  Expression objective;
  std::vector<ModelConstraint> constraints;
  std::vector<ModelSet> sets = {};
  std::vector<ModelOutput> outputs = {};
  bool operator==(const ConstrainedModel&) const = default;
  bool constrained() const { return !constraints.empty() || !sets.empty(); }
  bool no_objective() const;  // there is nothing to minimise
};

// A side of a constraint that does not hold.
struct Violation {
  std::string constraint;  // name
  double left;
  std::string relation;  // "=", "<=" or ">="
  double right;
};

struct Evaluation {
  double objective = 0.0;             // with the price of soft constraints that are missed
  std::optional<Decimal> exact;       // the same; nothing where it has more than 38 digits
  std::vector<Violation> violations;  // bounds of variables too, under the variable's name
  bool feasible() const { return violations.empty(); }
};

// The `count` worst violations, the worst first.
std::vector<Violation> worst_of(std::vector<Violation> violations, std::size_t count);
inline constexpr std::size_t kShownViolations = 20;

// Evaluates values on the model itself, from its terms alone, exactly. Throws InputError naming a
// constraint whose sum has more than 38 digits.
Evaluation evaluate(const ConstrainedModel& model, std::span<const std::int64_t> values);

// Throws InputError "where: what" for names that are empty, not printable or given twice, unknown
// variables, numbers that are not finite, empty ranges and products where none can stand.
void validate(const ConstrainedModel& model, const std::string& where);

}  // namespace chainmail
