// Answers in the user's terms: a model's variables by name, as files and from spins.
#pragma once

#include <string>
#include <vector>

#include "model/compile.hpp"
#include "solve/result.hpp"

namespace chainmail {

// Decodes and judges the states a run left (best first) on the model itself, and keeps the first
// `count` that differ in the user's variables. Fills result.answers, result.objective and whether
// the best is feasible.
void answer_in_users_terms(Result& result, const ConstrainedModel& model,
                           const CompiledModel& compiled, std::size_t count);

// One line "name value" for each variable.
std::string solution_to_text(const NamedAnswer& answer);

// Values by variable from such a text or from a result in JSON. Throws InputError for a variable
// that is unknown, missing or given twice, and for values that are not whole.
std::vector<std::int64_t> read_model_solution(const std::string& path,
                                              const ConstrainedModel& model);

}  // namespace chainmail
