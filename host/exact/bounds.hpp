// Lower bounds on f, in whole numbers of the model's unit. They are computed exactly: a linear
// program only proposes multipliers of the constraints, any of which give a valid bound (Neumaier
// and Shcherbina 2004), which is then added up without rounding.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "exact/tree_model.hpp"

namespace chainmail {

struct WholeBound {
  Wide least;
  std::string by;
};

// The minimum of each coefficient by itself, groups by their least member, products as in the tree
// (exact/tree.cpp).
WholeBound sum_bound(const TreeModel& model);

// The bound of a linear relaxation; nothing if f has products, the model is too large, or Clp
// (libClp.so.1) is not installed.
std::optional<WholeBound> lp_bound(const TreeModel& model);

// Of a problem in spins: every coupling and field at its best. Rounded down where it had to be.
struct SpinBound {
  double least;
  bool exact;
};
SpinBound sum_bound(const Quadratic& f);

// The better of the first two.
WholeBound lower_bound(const TreeModel& model);

}  // namespace chainmail
