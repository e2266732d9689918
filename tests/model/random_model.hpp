// Random small models with every kind of constraint, and all their solutions by enumeration.
#pragma once

#include <functional>

#include "model/constrained_model.hpp"
#include "support/random.hpp"

namespace chainmail {

// At most `bits` bits of variables; mixed constraints, coefficients whole or with two decimals.
ConstrainedModel random_model(Engine& engine, std::size_t bits);

// Makes some constraints soft, some hold only while a binary has a value, and adds sets of which
// one variable may be non-zero.
void enrich(ConstrainedModel& model, Engine& engine);

// Makes some binaries spins, and adds products of three to five to the objective and, of binaries,
// products of two and more to constraints.
void raise_degree(ConstrainedModel& model, Engine& engine);

// Calls `visit` for all values within the variables' bounds, which must be finite; spins are not 0.
void for_all_values(const ConstrainedModel& model,
                    const std::function<void(const std::vector<std::int64_t>&)>& visit);

// Whether two models have the same variables, by name, and agree on random values: objective and
// violated constraints. The order of variables may differ.
bool same_meaning(const ConstrainedModel& a, const ConstrainedModel& b, Engine& engine);

}  // namespace chainmail
