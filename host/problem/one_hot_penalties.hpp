// Finds what the author of a QUBO meant: one-hots A (sum x - 1)^2, alone, crossing as in
// permutations, or next to bits that are in none.
#pragma once

#include <optional>

#include "problem/form_model.hpp"

namespace chainmail {

// The same f without those squares and with the one-hots as constraints, disjoint ones as groups.
// Equal to f on every state that satisfies them; a state that does not may still be lower, if A is
// small. Nothing if they cover less than half of the bits.
std::optional<FormModel> recover_one_hots(const Quadratic& f);

}  // namespace chainmail
