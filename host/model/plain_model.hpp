// A model in terms that the compilers understand: only linear constraints, and products that must
// be zero. Indicators become rows with the smallest factor that switches them off, sets of which
// one may be non-zero become at-most-ones, any other product in a row becomes a binary that rows
// make equal to it, soft constraints keep their price or get a slack variable that pays it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/constrained_model.hpp"

namespace chainmail {

struct PlainModel {
  ConstrainedModel model;  // the added variables come last
  // By added variable: it is one where all of these variables of the model given are not zero.
  std::vector<std::vector<std::uint32_t>> nonzero_of;
};

bool is_plain(const ConstrainedModel& model);  // but for prices

// Throws InputError naming an indicator's variable without bounds. `no_monomials`: products of
// three and more leave the objective too, for what knows only pairs; one of integers is InputError.
PlainModel plain_model(const ConstrainedModel& model, bool no_monomials = false);

// Prices as slack variables, for compilers that only know hard constraints. Throws InputError for a
// soft constraint whose numbers are not whole.
ConstrainedModel without_prices(ConstrainedModel model);

}  // namespace chainmail
