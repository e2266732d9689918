// The least that an objective can be, from what a proof names: rows with multipliers, groups and
// cliques of binaries, a row for the products of a variable. Any multipliers give a valid bound;
// here it is only added up.
#pragma once

#include "check/rows.hpp"

namespace chainmail::checker {

// To be minimised; f of any solution in the box is at least this. Nothing: there is no bound.
// Throws std::runtime_error where something that the proof names does not hold on the model.
std::optional<Rational> least_objective(const NamedRows& rows, const Box& box, const Proof& proof);

// The proof's multipliers as one row, which every solution that is better than `answer` satisfies.
// Nothing where the objective has products. Throws as above.
std::optional<Linear> row_of_better(const NamedRows& rows, const Box& box, const Proof& proof,
                                    const Rational& answer);

}  // namespace chainmail::checker
