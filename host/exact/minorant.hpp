// Simpler functions below f: what bounds need of a model with products.
#pragma once

#include "exact/tree_model.hpp"

namespace chainmail {

// The products of a bit are bounded by a form that has this multiplier, rather than by groups.
struct MinorantRow {
  std::uint32_t bit, form;
  double times;
};

struct Minorant {
  TreeModel linear;
  std::vector<MinorantRow> rows;
};

// The model without products, its f nowhere above *twice* the given model's f where the
// constraints hold. Every product is counted at both of its bits, and what the products of a bit
// add up to while that bit is one is bounded from below by its groups, or by one form (Gallo,
// Hammer and Simeone 1980 do so for the quadratic knapsack).
Minorant linear_minorant(const TreeModel& model);

// The model without products of three or more, its f nowhere above the given model's.
TreeModel quadratic_minorant(TreeModel model);

}  // namespace chainmail
