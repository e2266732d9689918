#include "run/answers.hpp"

#include <set>

#include "model/answer.hpp"

namespace chainmail {

void answer_in_users_terms(Result& result, const ConstrainedModel& model, std::size_t count,
                           const AnswerDecoder& decode) {
  std::vector<const TrialResult*> states{&result.best};
  for (const TrialResult& state : result.pool) states.push_back(&state);
  std::set<std::vector<std::int64_t>> seen;
  for (const TrialResult* state : states) {
    if (result.answers.size() == count) break;
    const std::vector<std::int64_t> values = decode(state->solution);
    if (seen.insert(values).second) result.answers.push_back(named_answer(model, values));
  }
  result.objective = result.answers.front().objective;
  result.best.feasible = result.answers.front().feasible;
}

}  // namespace chainmail
