// A model in terms that the compilers understand: only linear constraints and products. Indicators
// become rows with the smallest factor that switches them off, sets of which one may be non-zero
// become at-most-ones, soft constraints keep their price or get a slack variable that pays it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/constrained_model.hpp"

namespace chainmail {

struct PlainModel {
  ConstrainedModel model;  // the added variables come last
  // By added variable: it is one where that variable of the model given is not zero.
  std::vector<std::uint32_t> nonzero_of;
};

bool is_plain(const ConstrainedModel& model);  // but for prices

// Throws InputError naming an indicator's variable without bounds.
PlainModel plain_model(const ConstrainedModel& model);

// Prices as slack variables, for compilers that only know hard constraints. Throws InputError for a
// soft constraint whose numbers are not whole.
ConstrainedModel without_prices(ConstrainedModel model);

}  // namespace chainmail
