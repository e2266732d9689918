// Finds what the author of a QUBO meant: one-hots A (sum x - 1)^2, alone, crossing as in
// permutations, or beside bits that are in none.
#pragma once

#include <optional>

#include "problem/form_model.hpp"

namespace chainmail {

// The same f with those squares taken out and the one-hots as constraints, disjoint ones as groups.
// Equal to f on every state that satisfies them; a state that does not may still be lower, where
// A is small. Nothing where they do not reach half of the bits.
std::optional<FormModel> recover_one_hots(const Quadratic& f);

}  // namespace chainmail
