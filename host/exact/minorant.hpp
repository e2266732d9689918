// A linear function below a quadratic one: what linear bounds need of a model with products.
#pragma once

#include "exact/tree_model.hpp"

namespace chainmail {

// The model without products, its f nowhere above *twice* the given model's f where the
// constraints hold. Every product is counted at both of its bits, and what the products of a bit
// add up to while that bit is one is bounded from below by its groups, or by one form (Gallo,
// Hammer and Simeone 1980 do so for the quadratic knapsack).
TreeModel linear_minorant(const TreeModel& model);

}  // namespace chainmail
