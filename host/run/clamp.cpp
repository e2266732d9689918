#include "run/clamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "problem/reduction.hpp"
#include "support/counted.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::vector<std::string> names_of(const Source& source) {
  std::vector<std::string> names;
  if (source.model) {
    for (const ModelVariable& v : source.model->model.variables) names.push_back(v.name);
    return names;
  }
  names = source.given().names;
  for (std::size_t i = names.size(); i < source.given().size(); ++i) {
    names.push_back(std::to_string(i));
  }
  return names;
}

// The end of "=1" at this place, if a comma or nothing follows.
const char* value_at(const char* at, const char* end, std::int64_t& value) {
  if (*at != '=') return nullptr;
  ++at;
  if (at != end && *at == '+') ++at;
  const auto [rest, error] = std::from_chars(at, end, value);
  return error == std::errc() && (rest == end || *rest == ',') ? rest : nullptr;
}

// A problem's spins, 0 where they are free.
std::vector<Spin> spins_held(const Problem& problem, const Clamps& clamps) {
  const std::int64_t down = problem.bits() ? 0 : -1;
  std::vector<Spin> held(problem.size(), 0);
  for (const auto& [variable, value] : clamps) {
    if (value != 1 && value != down) {
      throw UsageError(fmt::format(
          "clamp: '{}' is {} or 1, not {}",
          problem.names.empty() ? std::to_string(variable) : problem.names[variable], down, value));
    }
    held[variable] = value == 1 ? 1 : -1;
  }
  if (std::find(held.begin(), held.end(), 0) == held.end()) {
    throw UsageError("clamp: expected at least one variable that is free");
  }
  return held;
}

Source clamped_problem(const Source& source, const Clamps& clamps) {
  const Problem& whole = source.given();
  std::vector<Spin> held = spins_held(whole, clamps);
  Problem rest;
  rest.name = whole.name;
  rest.user = whole.user;
  rest.objective = with_held(whole.objective, held);
  if (whole.constraint) rest.constraint = with_held(*whole.constraint, held);
  for (std::size_t i = 0; i < whole.names.size(); ++i) {
    if (held[i] == 0) rest.names.push_back(whole.names[i]);
  }
  Source made(std::move(rest), whole, std::move(held));
  made.notes = source.notes;
  made.written = source.written;
  // Numbers were added up.
  if (!made.precision().exact()) made.written.rounded = true;
  return made;
}

Source clamped_model(const Source& source, const Clamps& clamps) {
  ConstrainedModel model = source.model->model;
  for (const auto& [v, value] : clamps) {
    ModelVariable& variable = model.variables[v];
    if (Decimal(value) < variable.lower || Decimal(value) > variable.upper) {
      throw UsageError(fmt::format("clamp: '{}' is {} to {}, not {}", variable.name,
                                   variable.lower.text(), variable.upper.text(), value));
    }
    variable.lower = variable.upper = value;
  }
  return source_of(std::move(model), "the clamped model");
}

}  // namespace

Clamps clamps_from_text(const std::string& text, const Source& source) {
  std::unordered_map<std::string, std::size_t> number;
  for (const std::string& name : names_of(source)) number.emplace(name, number.size());
  Clamps clamps;
  const char* const end = text.data() + text.size();
  for (const char* from = text.data(); from != end;) {
    std::int64_t value = 0;
    const char *at = from, *rest = nullptr;  // names may have commas and equals signs of their own
    while (at != end && (rest = value_at(at, end, value)) == nullptr) ++at;
    const std::string name(from, at);
    if (rest == nullptr) {
      throw UsageError("--clamp: expected variable=value, separated by commas, not '" + name + "'");
    }
    const auto found = number.find(name);
    if (found == number.end()) throw UsageError("--clamp: no variable is named '" + name + "'");
    clamps.emplace_back(found->second, value);
    from = rest == end ? end : rest + 1;
  }
  return clamps;
}

Source clamped(const Source& source, const Clamps& clamps) {
  Clamps sorted = clamps;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<std::string> names = names_of(source);
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const std::size_t variable = sorted[k].first;
    if (variable >= names.size()) {
      throw UsageError("clamp: expected a variable below " + std::to_string(names.size()) +
                       ", found " + std::to_string(variable));
    }
    if (k > 0 && sorted[k - 1].first == variable) {
      throw UsageError("clamp: '" + names[variable] + "' is given twice");
    }
  }
  Source made = source.model ? clamped_model(source, sorted) : clamped_problem(source, sorted);
  made.held = sorted.size();
  return made;
}

void lift_held(const Source& source, Result& result) {
  if (source.held == 0) return;
  result.model_notes.push_back(counted(source.held, "variable") + " clamped");
  if (source.model) return;
  const auto lift = [&](TrialResult& state) {
    if (!state.solution.empty()) state.solution = source.lift(state.solution);
  };
  lift(result.best);
  for (TrialResult& state : result.per_trial) lift(state);
  for (TrialResult& state : result.pool) lift(state);
  result.spins = source.given().size();
  result.names = source.given().names;
}

}  // namespace chainmail
