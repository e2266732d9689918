// A bound on the objective of every answer, exact in the numbers of the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exact/bounds.hpp"
#include "exact/tree_model.hpp"
#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

struct ModelBound {
  Decimal least;  // of f
  WholeBound whole;
};

// The model with the objective in its own whole numbers, or nothing where it has too many digits.
std::optional<TreeModel> exact_tree(const CompiledForms& forms);

// From multipliers of the model's forms, where there are any (jump/duals.hpp).
std::optional<ModelBound> bound_of(const CompiledForms& forms,
                                   const std::vector<double>& multipliers);

// That nothing is better than a state, by an enumeration of what these multipliers leave open.
std::optional<ModelBound> closed_bound(const ModelSource& source, std::span<const Bit> best,
                                       const std::vector<double>& multipliers);

// After a search: tells the bound, and whether this answer reaches it, as the checker confirms.
// `known` is a bound that was found on the way.
void tell_bound(const Source& source, const std::optional<ModelBound>& known, Result& result);

}  // namespace chainmail
