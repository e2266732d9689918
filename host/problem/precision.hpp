// How exactly sums of a quadratic function in double tell its values apart: the one place that says
// when f is as low as an optimum or a target, and when g is zero.
#pragma once

#include "problem/problem.hpp"
#include "support/decimal.hpp"

namespace chainmail {

struct Precision {
  Decimal unit;  // values lie on a grid this wide, beside the offset; 0: too fine for a double
  double slack = 0.0;  // what rounding may add to a value; far below the unit where there is one

  bool exact() const { return !unit.zero(); }
  // So near the optimum counts as the optimum; 0: values are compared exactly.
  double tolerance() const { return exact() ? 0.0 : slack; }
};

// Never more than this counts as nothing where values cannot be told apart exactly.
inline constexpr double kGapTolerance = 1e-6;

Precision precision_of(const Quadratic& q);

// What the sum in double must not exceed for q <= value to hold: exactly, or within the tolerance.
double threshold(const Quadratic& q, const Precision& precision, const Decimal& value);

// g counts as zero up to this: below the least violation there can be, kFeasible at most.
double feasible_up_to(const Problem& problem);

}  // namespace chainmail
