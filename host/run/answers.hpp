// The states a run left, in the user's terms.
#pragma once

#include <functional>

#include "model/constrained_model.hpp"
#include "problem/problem.hpp"
#include "solve/result.hpp"

namespace chainmail {

using AnswerDecoder = std::function<std::vector<std::int64_t>(std::span<const Spin>)>;

// Decodes and judges the states (best first) on the model itself, and keeps the first `count` that
// differ in the user's variables. Fills result.answers, result.objective and whether the best is
// feasible.
void answer_in_users_terms(Result& result, const ConstrainedModel& model, std::size_t count,
                           const AnswerDecoder& decode);

// The same for a problem in spins: leaves in result.pool the states that differ from the best and
// from each other, at most `count` including the best. For cuts a state and its mirror image are
// one.
void keep_distinct(Result& result, const Problem& problem, std::size_t count);

}  // namespace chainmail
