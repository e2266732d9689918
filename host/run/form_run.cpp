#include "run/form_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "model/answer.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

// Shares of moves, measured (docs/lab/constrained.md): chains pay where bits stand free in forms,
// hardly where groups and their swaps do the work.
constexpr double kChainsOfBits = 0.3, kChainsOfGroups = 0.05;

constexpr std::uint64_t kEndless = 1'000'000'000'000'000;  // sweeps that no run gets to

FormMoves moves_for(const FormModel& model) {
  FormMoves moves;
  const bool bits = !model.free_bits.empty() && !model.forms.items.empty();
  moves.chains = bits ? kChainsOfBits : kChainsOfGroups;
  return moves;
}

// A bit by the variable it belongs to.
std::vector<std::string> bit_names(const ConstrainedModel& model, const CompiledForms& forms) {
  std::vector<std::string> names(forms.model.bits);
  for (std::size_t v = 0; v < forms.variables.size(); ++v) {
    const auto& bits = forms.variables[v].bits;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const std::string& name = model.variables[v].name;
      names[bits[k].bit] = bits.size() == 1 ? name : fmt::format("{}({})", name, k);
    }
  }
  for (std::size_t group = 0; group < forms.none_bits.size(); ++group) {
    if (forms.none_bits[group] != kNone) {
      names[forms.none_bits[group]] = fmt::format("none({})", group);
    }
  }
  return names;
}

std::vector<Bit> bits_of(const TrialResult& state) {
  std::vector<Bit> bits;
  for (Spin spin : state.solution) bits.push_back(spin > 0 ? 1 : 0);
  return bits;
}

void add_answers(Result& result, const ModelSource& source, std::size_t count) {
  const CompiledForms& forms = source.forms();
  std::vector<const TrialResult*> states{&result.best};
  for (const TrialResult& state : result.pool) states.push_back(&state);
  std::set<std::vector<std::int64_t>> seen;
  for (const TrialResult* state : states) {
    if (result.answers.size() == count) break;
    const std::vector<std::int64_t> values = forms.decode(bits_of(*state));
    if (seen.insert(values).second) result.answers.push_back(named_answer(source.model, values));
  }
  result.objective = result.answers.front().objective;
  result.best.feasible = result.answers.front().feasible;
}

}  // namespace

bool wants_forms(const Source& source, const PlanOptions& options, const Device& device) {
  if (!source.model || !options.forms || device.topology() != nullptr) return false;
  if (options.device.name != "cpu" || source.model->model.constraints.empty()) return false;
  const bool spins = options.copies > 1 || options.given_ladder || options.ladder ||
                     options.literal || options.plain_penalty || options.penalty ||
                     options.placement || options.device.precision != "auto" ||
                     options.device.moves != "single" ||
                     options.method.value_or(Method::two_dimensional) != Method::two_dimensional;
  return !spins;
}

FormSolveOptions form_options(const Source& source, const PlanOptions& options) {
  const CompiledForms& forms = source.model->forms();
  FormSolveOptions wanted;
  wanted.search.seed = options.seed;
  wanted.search.sweeps_per_swap = options.sweeps_per_swap.value_or(wanted.search.sweeps_per_swap);
  wanted.search.swap_sets = options.swap_sets.value_or(SwapSets::all);
  wanted.search.ladder.moves = moves_for(forms.model);
  if (options.rows != PlanOptions{}.rows) wanted.search.ladder.most_rows = options.rows;
  if (options.columns > 0) wanted.search.ladder.columns = options.columns;
  // Bits can say the same in several ways, so more states are kept than solutions shown.
  wanted.search.keep = options.solutions > 1 ? 4 * options.solutions : 1;
  if (!options.initial_values.empty()) {
    wanted.search.ladder.start = forms.encode(options.initial_values);
  }
  wanted.sweeps = options.sweeps;
  // A time limit alone ends a run of one trial.
  const bool endless = options.time_limit > 0.0 && options.trials.value_or(1) == 1;
  if (!wanted.sweeps && endless) wanted.sweeps = kEndless;
  wanted.trials = options.trials.value_or(1);
  wanted.first_trial = options.first_trial;
  if (options.time_limit > 0.0) {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - options.start;
    wanted.time_limit = std::max(1e-6, options.time_limit - gone.count());
  }
  const bool maximise = source.model->model.sense == Sense::maximise;
  if (options.target) wanted.target = maximise ? -*options.target : *options.target;
  wanted.bound = forms.bound;
  wanted.impossible = !forms.infeasible.empty();
  wanted.checkpoint = options.checkpoint;
  wanted.threads = options.device.threads;
  return wanted;
}

Result run_forms(const Plan& plan, const std::atomic<bool>& stop, const SolveObserver& observer) {
  const ModelSource& source = *plan.source->model;
  const CompiledForms& forms = source.forms();
  Result result = solve_forms(forms.model, *plan.forms, stop, observer);
  result.problem = source.model.name;
  result.objective_name = source.model.objective_name;
  result.names = bit_names(source.model, forms);
  result.model_notes = forms.notes;
  result.infeasible = forms.infeasible;
  add_answers(result, source, plan.solutions);
  return result;
}

}  // namespace chainmail
