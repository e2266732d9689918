#include "run/form_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "device/group/launched.hpp"
#include "ladder/form_ladder.hpp"
#include "problem/bits.hpp"
#include "run/answers.hpp"
#include "run/run_length.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

// Shares of moves, measured (docs/lab/models.md): chains pay where bits stand free in several
// forms or in equations, less in a single knapsack, hardly where clashes, or groups and their
// swaps, do the work.
constexpr double kManyChains = 0.3, kSomeChains = 0.1, kFewChains = 0.05;

// A launch costs as much as some sweeps.
constexpr std::uint64_t kKernelSweepsPerSwap = 10;

FormMoves moves_for(const FormModel& model) {
  FormMoves moves;
  moves.chains = kFewChains;
  for (std::uint32_t bit : model.free_bits) {
    const auto forms = model.at_bit[bit];
    if (forms.empty()) continue;
    const FormLimits& limits = model.limits[forms.front().index];
    const bool entangled = forms.size() > 1 || limits.lower == limits.upper;
    moves.chains = std::max(moves.chains, entangled ? kManyChains : kSomeChains);
  }
  return moves;
}

// One or several with commas between: replicas run on the threads of the process either way.
bool only_cpus(std::string names) {
  for (; names.rfind("cpu,", 0) == 0; names.erase(0, 4)) {
  }
  return names == "cpu";
}

// A bit by the variable it belongs to.
std::vector<std::string> bit_names(const ConstrainedModel& model, const CompiledForms& forms) {
  std::vector<std::string> names(forms.model.bits);
  for (std::size_t v = 0; v < forms.variables.size(); ++v) {
    const auto& bits = forms.variables[v].bits;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const std::string name =
          v < forms.given ? model.variables[v].name : fmt::format("nonzero({})", v - forms.given);
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

}  // namespace

bool wants_forms(const Source& source, const PlanOptions& options, const Device& device) {
  if (!source.model) return false;
  if (!source.model->model.constrained() && source.model->purpose != FormsFor::sampling)
    return false;
  const bool rows = device.topology() != nullptr && device.topology()->options.rows();
  if (!rows && (device.topology() != nullptr || !only_cpus(options.device.name))) return false;
  // Multipliers belong to the squared form.
  const bool squared_ladder = options.given_ladder && !options.given_ladder->multipliers.empty();
  const bool spins = options.copies > 1 || options.ladder || squared_ladder || options.literal ||
                     options.plain_penalty || options.penalty || options.placement ||
                     options.device.precision != "auto" || options.device.moves != "single" ||
                     options.method.value_or(Method::two_dimensional) != Method::two_dimensional;
  return !spins;
}

FormSolveOptions form_options(const Source& source, const PlanOptions& options,
                              const Device& device) {
  const CompiledForms& forms = source.model->forms();
  FormSolveOptions wanted;
  wanted.search.seed = options.seed;
  wanted.search.sweeps_per_swap = options.sweeps_per_swap.value_or(wanted.search.sweeps_per_swap);
  wanted.search.swap_sets = options.swap_sets.value_or(SwapSets::all);
  wanted.search.ladder.moves = moves_for(forms.model);
  wanted.search.given = options.given_ladder;
  if (options.rows != PlanOptions{}.rows) wanted.search.ladder.most_rows = options.rows;
  if (options.columns > 0) wanted.search.ladder.columns = options.columns;
  if (const Topology* topology = device.topology()) {
    FormLadderOptions& ladder = wanted.search.ladder;
    const std::size_t most = topology->options.max_replicas;
    ladder.columns = std::clamp<std::size_t>(ladder.columns, 1, most);
    ladder.most_rows = std::clamp<std::size_t>(ladder.most_rows, 1, most / ladder.columns);
    wanted.search.sweeps_per_swap = options.sweeps_per_swap.value_or(kKernelSweepsPerSwap);
  }
  // Bits can say the same in several ways, so more states are kept than solutions shown.
  wanted.search.keep = options.solutions > 1 ? 4 * options.solutions : 1;
  if (!options.initial_values.empty()) {
    wanted.search.ladder.start = forms.encode(options.initial_values);
  }
  wanted.sweeps = sweeps_asked_for(options);
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
  wanted.others = launched_channels();
  if (!wanted.others.empty() && wanted.threads == 0) wanted.threads = 1;  // a process a core
  wanted.timeout = options.device.timeout;
  return wanted;
}

Result run_forms(const Plan& plan, Device& device, const std::atomic<bool>& stop,
                 const SolveObserver& observer) {
  const ModelSource& source = *plan.source->model;
  const CompiledForms& forms = source.forms();
  FormSolveOptions options = *plan.forms;
  if (device.topology() != nullptr) options.search.device = &device;
  Result result = solve_forms(forms.model, options, stop, observer);
  result.problem = source.model.name;
  result.objective_name = source.model.objective_name;
  result.scale = source.model.sense == Sense::maximise ? -1.0 : 1.0;
  result.constrained = result.bits = true;
  result.names = bit_names(source.model, forms);
  result.model_notes = forms.notes;
  result.infeasible = forms.infeasible;
  answer_in_users_terms(result, source.model, plan.solutions, [&](std::span<const Spin> solution) {
    return forms.decode(bits_of(solution));
  });
  return result;
}

Ladder ladder_of_forms(const Plan& plan, const std::atomic<bool>& stop,
                       const PilotObserver& observer) {
  if (plan.forms->search.given) return *plan.forms->search.given;
  const FormModel& model = plan.source->model->forms().model;
  FormLadderOptions options = plan.forms->search.ladder;
  options.seed = plan.forms->search.seed;
  options.moves.chains = 0.0;
  const FormPlan moves(model);
  FormMembers members = members_of(*plan.forms);
  const auto going = [&](const FormState& best, std::uint64_t sweeps) {
    const char* found = best.feasible ? "feasible" : "not feasible yet";
    const bool on = !observer || observer(0.0, fmt::format("{} sweeps, {}", sweeps, found));
    return on && !stop;
  };
  Ladder ladder = find_form_ladder(moves, members, options, going).ladder;
  if (stop) throw TuningStopped();
  return ladder;
}

}  // namespace chainmail
