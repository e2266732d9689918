// From a constrained model to the two functions the machine knows: f, the objective, and one
// g >= 0 that is zero exactly on the feasible set; and back, from spins to the user's variables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/constrained_model.hpp"
#include "problem/problem.hpp"
#include "problem/residual.hpp"

namespace chainmail {

// value = lower + sum of weights of the bits that are 1. The weights 1, 2, 4, ... end with one that
// makes the largest value exactly the upper bound.
struct WeightedBit {
  std::uint32_t spin;
  std::int64_t weight;
};
struct BinaryExpansion {
  std::int64_t lower = 0;
  std::vector<WeightedBit> bits;
};

// What a constraint is called, by its shape.
enum class ConstraintKind {
  one_hot,      // one of several binaries
  cardinality,  // a given number of several binaries
  at_most_one,  // of several binaries
  exclusion,    // not both of two binaries, as x + y <= 1 or x y = 0
  covering,     // at least one of several binaries
  knapsack,     // an inequality of positive coefficients
  equation,
  inequality,
};
std::string name_of(ConstraintKind kind);

struct CompiledConstraint {
  std::string name;
  ConstraintKind kind = ConstraintKind::equation;
  bool redundant = false;   // holds for all values: nothing in g
  bool impossible = false;  // holds for none: g is never zero
  std::size_t slack_bits = 0;
  double weight = 1.0;  // its factor in g: violated by the least possible amount, it adds this
  double unit = 1.0;    // that least amount, in the user's numbers
};

struct CompiledModel {
  Problem problem;
  std::vector<Residual> residuals;         // of the constraints that became squares
  std::vector<BinaryExpansion> variables;  // the model's, then what plain_model() added
  std::size_t given = 0;                   // so many are the model's
  std::vector<CompiledConstraint> constraints;
  std::vector<std::string> notes;  // roundings and contradictions, for the user

  std::vector<std::int64_t> decode(std::span<const Spin> spins) const;
  // As CompiledForms': of two patterns of an integer with the same value one counts.
  bool is_canonical(std::span<const Spin> spins) const;
};

CompiledModel compile(const ConstrainedModel& model);

}  // namespace chainmail
