#include "report/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "report/digest.hpp"
#include "report/json_layout.hpp"

namespace chainmail {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> kTimings = {"seconds", "tune_seconds", "updates_per_ns",
                                                      "peak_memory_kib", "members"};

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json list(const std::vector<double>& values) {
  Json array = Json::array();
  for (double value : values) array.push_back(number(value));
  return array;
}

Json matrix(const std::vector<std::vector<double>>& rows) {
  Json array = Json::array();
  for (const auto& row : rows) array.push_back(list(row));
  return array;
}

// As the user writes them: 0 and 1, or -1 and 1.
Json state(const std::vector<Spin>& solution, bool bits) {
  Json array = Json::array();
  for (Spin spin : solution) array.push_back(bits && spin < 0 ? 0 : static_cast<int>(spin));
  return array;
}

Json violations(const std::vector<Violation>& found) {
  Json array = Json::array();
  for (const Violation& v : found)
    array.push_back({{"constraint", v.constraint},
                     {"left", number(v.left)},
                     {"relation", v.relation},
                     {"right", number(v.right)}});
  return array;
}

Json variables(const NamedAnswer& answer) {
  Json object = Json::object();
  // Names differ, so none is looked for: that would take time with the square of their number.
  auto& members = object.get_ref<Json::object_t&>();
  for (const auto& [name, value] : answer.variables) members.emplace_back(name, value);
  return object;
}

Json solutions(const std::vector<NamedAnswer>& answers) {
  Json array = Json::array();
  for (const NamedAnswer& answer : answers)
    array.push_back({{"objective", number(answer.objective)},
                     {"feasible", answer.feasible},
                     {"violations", violations(answer.violations)},
                     {"variables", variables(answer)}});
  return array;
}

Json violations(const Result& result) {
  if (!result.answers.empty()) return violations(result.answers.front().violations);
  const TrialResult& answer = result.best;
  Json array = Json::array();
  if (!answer.feasible) array.push_back({{"constraint", "g"}, {"amount", number(answer.g)}});
  return array;
}

// A problem's states in its own variables; a model's are listed by name, in "solutions".
Json solutions(const Result& r) {
  Json array = Json::array();
  const auto add = [&](const TrialResult& found) {
    array.push_back({{"objective", number(in_users_terms(found.energy, r))},
                     {"feasible", found.feasible},
                     {"solution", state(found.solution, r.bits)}});
  };
  add(r.best);
  for (const TrialResult& found : r.pool) add(found);
  return array;
}

Json per_trial(const Result& r) {
  Json array = Json::array();
  for (const TrialResult& trial : r.per_trial) {
    array.push_back({{"energy", number(trial.energy)},
                     {"g", number(trial.g)},
                     {"feasible", trial.feasible},
                     {"found_at_sweep", trial.found_at_sweep}});
    if (r.answers.empty()) array.back()["solution"] = state(trial.solution, r.bits);
  }
  return array;
}

Json members(const std::vector<MemberUse>& all) {
  Json array = Json::array();
  for (const MemberUse& member : all)
    array.push_back({{"name", member.name},
                     {"bursts", member.bursts},
                     {"busy_seconds", member.busy_seconds},
                     {"waited_seconds", member.waited_seconds},
                     {"lost", member.lost}});
  return array;
}

Json fields_of(const Result& r) {
  Json json;
  json["format"] = "chainmail-result";
  json["format_version"] = 1;
  json["version"] = CHAINMAIL_VERSION;

  json["problem"] = r.problem;
  json["spins"] = r.spins;
  json["energy"] = number(r.best.energy);
  json["objective"] = number(r.objective);
  json["objective_name"] = r.objective_name;
  json["feasible"] = r.best.feasible;
  json["g"] = number(r.best.g);
  json["constrained"] = r.constrained;
  json["verdict"] = verdict_text(r);
  json["violations"] = violations(r);
  if (!r.answers.empty()) {
    json["variables"] = variables(r.answers.front());
    json["solutions"] = solutions(r.answers);
  } else if (!r.pool.empty()) {
    json["solutions"] = solutions(r);
  }
  if (!r.answers.empty() || !r.model_notes.empty()) json["model_notes"] = r.model_notes;
  json["bound"] = r.bound ? number(in_users_terms(*r.bound, r)) : Json(nullptr);
  json["bound_by"] = r.bound_by;
  json["gap"] = number(gap_to_bound(r));
  json["proved"] = r.proved;
  json["known_optimum"] = number(r.known_optimum);
  json["gap_tolerance"] = r.gap_tolerance;
  json["residual_per_spin"] = number(r.residual_per_spin);
  json["best_found_at_sweep"] = r.best.found_at_sweep;

  json["method"] = r.method;
  json["device"] = r.device;
  json["copies"] = r.copies;
  json["pbits"] = r.pbits;
  json["colours"] = r.colours > 0 ? Json(r.colours) : Json(nullptr);  // not found without copies
  json["placement"] = r.placement;
  json["seed"] = r.seed;
  json["trials"] = r.trials;
  json["first_trial"] = r.first_trial + 1;
  json["sweeps"] = r.sweeps;
  json["sweeps_per_swap"] = r.sweeps_per_swap;
  json["swap_sets"] = r.swap_sets;
  json["moves"] = r.moves;
  json["pilot_sweeps"] = r.pilot_sweeps;
  json["stopped_by"] = r.stopped_by;

  json["updates"] = r.updates;
  json["seconds"] = number(r.seconds);
  json["tune_seconds"] = number(r.tune_seconds);
  json["updates_per_ns"] = number(r.updates_per_ns);
  json["peak_memory_kib"] = r.peak_memory_kib;

  if (!r.members.empty()) json["members"] = members(r.members);
  json["rows"] = r.ladder.rows();
  json["columns"] = r.ladder.columns();
  json["beta"] = list(r.ladder.beta);
  json["penalty"] = list(r.ladder.penalty);
  if (r.ladder.answer_beta > 0) json["answer_beta"] = r.ladder.answer_beta;
  json["schedule_notes"] = r.ladder.notes;
  json["acceptance_beta"] = matrix(r.acceptance_beta);
  json["acceptance_penalty"] = matrix(r.acceptance_penalty);
  json["round_trips"] = r.round_trips;
  json["rejections"] = r.rejections;
  json["quenches"] = r.quenches;
  json["component_exchanges"] = r.exchanges;
  json["answer_feasible_rate"] = number(r.answer_feasible_rate);
  json["mean_answer_energy"] = number(r.mean_answer_energy);

  const bool model = !r.answers.empty();  // listed by its variables
  json["names"] = model ? std::vector<std::string>{} : r.names;
  if (!model) json["solution"] = state(r.best.solution, r.bits);
  json["per_trial"] = per_trial(r);
  return json;
}

}  // namespace

std::string to_json(const Result& result) {
  return written(fields_of(result));
}

std::string to_json_without_timings(const Result& result) {
  Json json = fields_of(result);
  for (std::string_view key : kTimings) json.erase(std::string(key));
  return written(json);
}

}  // namespace chainmail
