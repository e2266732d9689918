// Lower bounds on f, in whole numbers of the model's unit. They are computed exactly: a linear
// program only proposes multipliers of the constraints, any of which give a valid bound (Neumaier
// and Shcherbina 2004), which is then added up without rounding.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "exact/minorant.hpp"
#include "exact/tree_model.hpp"

namespace chainmail {

struct WholeBound {
  Wide least;
  std::string by;
  // What it rests on, so that it can be added up again (run/certify.hpp):
  Lists<std::uint32_t> cliques;     // bits
  std::vector<double> multipliers;  // of forms, then of clashes, for f; none: all are zero
  std::vector<MinorantRow> products;
  bool enumerated = false;  // what the multipliers leave open was, and nothing is better
};

// The minimum of each coefficient by itself, groups and cliques of clashes by their least member,
// products as in the tree (exact/tree.cpp).
WholeBound sum_bound(const TreeModel& model);

inline constexpr const char* kByMultipliers = "Lagrange multipliers";
inline constexpr const char* kByCore = "Lagrange multipliers and enumeration";

// The bound of a linear relaxation, of a linear function below f where f has products: by
// multipliers from Clp (libClp.so.1) where it is installed and the model is not too large, else by
// those proposed for the linear model: one for each form, then each clash.
using ProposeDuals = std::function<std::optional<std::vector<double>>(const TreeModel& linear)>;
std::optional<WholeBound> dual_bound(const TreeModel& model, const ProposeDuals& propose = {});

// The bound by these multipliers, whatever they are, where f has no products.
std::optional<WholeBound> bound_by(const std::vector<double>& duals, const TreeModel& linear);

// Of a problem in spins: every coupling and field at its best. Rounded down where it had to be.
struct SpinBound {
  double least;
  bool exact;
};
SpinBound sum_bound(const Quadratic& f);

// The better of the first two, which know products of two; longer ones are bounded one by one.
WholeBound lower_bound(const TreeModel& model, const ProposeDuals& propose = {});

}  // namespace chainmail
