#include "run/answers.hpp"

#include <algorithm>
#include <set>

#include "model/answer.hpp"

namespace chainmail {

void answer_in_users_terms(Result& result, const ConstrainedModel& model, std::size_t count,
                           const AnswerDecoder& decode) {
  struct Named {
    TrialResult* state;
    NamedAnswer answer;
  };
  std::vector<Named> named;
  std::set<std::vector<std::int64_t>> seen;
  const auto add = [&](TrialResult& state) {
    const std::vector<std::int64_t> values = decode(state.solution);
    if (seen.insert(values).second) named.push_back({&state, named_answer(model, values)});
  };
  add(result.best);
  for (TrialResult& state : result.pool) add(state);
  // The search may have seen them rounded.
  const bool more_is_better = model.sense == Sense::maximise;
  std::stable_sort(named.begin(), named.end(), [&](const Named& a, const Named& b) {
    if (a.answer.feasible != b.answer.feasible) return a.answer.feasible;
    if (!a.answer.feasible || !a.answer.exact || !b.answer.exact) return false;
    return more_is_better ? *b.answer.exact < *a.answer.exact : *a.answer.exact < *b.answer.exact;
  });
  if (named.front().state != &result.best) std::swap(result.best, *named.front().state);
  for (Named& one : named) {
    if (result.answers.size() < count) result.answers.push_back(std::move(one.answer));
  }
  result.no_objective = model.no_objective();
  result.objective = result.answers.front().objective;
  result.best.feasible = result.answers.front().feasible;
}

void keep_distinct(Result& result, const Problem& problem, std::size_t count) {
  // The two sides of a cut have no names. Spins and bits do: a state and its mirror image are two.
  const bool mirrored = count > 1 && problem.user.name == "cut";
  if (mirrored) {
    result.model_notes.emplace_back("a cut and its mirror image count as one solution");
  }
  const auto standing = [&](std::vector<Spin> spins) {
    if (!mirrored || spins.empty() || spins.front() > 0) return spins;
    for (Spin& spin : spins) spin = static_cast<Spin>(-spin);
    return spins;
  };
  std::set<std::vector<Spin>> seen{standing(result.best.solution)};
  std::vector<TrialResult> distinct;
  for (TrialResult& state : result.pool) {
    if (distinct.size() + 1 >= count) break;
    if (seen.insert(standing(state.solution)).second) distinct.push_back(std::move(state));
  }
  result.pool = std::move(distinct);
}

}  // namespace chainmail
