#include "run/answers.hpp"

#include <set>

namespace chainmail {

void answer_in_users_terms(Result& result, const ModelSource& source, std::size_t count) {
  std::vector<const TrialResult*> states{&result.best};
  for (const TrialResult& state : result.pool) states.push_back(&state);
  std::set<std::vector<std::int64_t>> seen;
  for (const TrialResult* state : states) {
    if (result.answers.size() == count) break;
    const std::vector<std::int64_t> values = source.compiled().decode(state->solution);
    if (seen.insert(values).second) result.answers.push_back(named_answer(source.model, values));
  }
  result.objective = result.answers.front().objective;
  result.best.feasible = result.answers.front().feasible;
  result.model_notes = source.compiled().notes;
}

}  // namespace chainmail
