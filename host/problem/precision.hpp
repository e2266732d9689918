// How exactly sums in double distinguish the values of a quadratic function: the one place that
// decides when f is as low as an optimum or a target, and when g is zero.
#pragma once

#include "problem/problem.hpp"
#include "support/decimal.hpp"

namespace chainmail {

struct Precision {
  Decimal unit;  // values are multiples of this, apart from the offset; 0: too fine for a double
  double slack = 0.0;  // what rounding may add to a value; far below the unit, if there is one

  bool exact() const { return !unit.zero(); }
  // So near the optimum counts as the optimum; 0: values are compared exactly.
  double tolerance() const { return exact() ? 0.0 : slack; }
};

// The numbers of a file: whether one has more digits than its double, and the last place of all,
// 10^place, of which all values of f as it was written are multiples.
struct Written {
  bool rounded = false;
  int place = 0;
};

Precision precision_of(const Quadratic& q, bool rounded = false);

// What the sum in double must not exceed for q <= value to hold: exactly, or within the tolerance;
// where that is above 1e-6, surely.
double threshold(const Quadratic& q, const Precision& precision, const Decimal& value);

// g counts as zero up to this: below the least violation there can be, kFeasible at most.
double feasible_up_to(const Problem& problem);

}  // namespace chainmail
