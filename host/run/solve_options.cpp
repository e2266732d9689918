#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grid/watch.hpp"
#include "ladder/geometric.hpp"
#include "problem/precision.hpp"
#include "run/as_written.hpp"
#include "run/flight.hpp"
#include "run/plan_parts.hpp"
#include "run/run_length.hpp"
#include "solve/component_exchange.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

// A run of a model ends within about a minute on two cores whatever its size; measured on quadratic
// knapsacks.
constexpr double kModelUpdates = 1e9, kLeastSweeps = 2000, kMostSweeps = 100000;
// A run by rule: some seconds on one core from a thousand spins on.
constexpr double kRuleUpdates = 2e9;
// After every second sweep both sets of neighbouring rows swap.
constexpr Cadence kByRule{2, SwapSets::all};
// A ladder's length (the sum of its rejections) is about this times the root of its p-bits.
constexpr double kLengthOfRoot = 0.4;
// Twice as long as its 32 rows, it is of no use.
constexpr double kUselessLength = 64.0;
// Couplings read by a replica in its anneal: half a second of 32 of them.
constexpr double kAnnealedCouplings = 1e8;
// An anneal that mends a state.
constexpr std::uint64_t kMendSweeps = 200;
// Smaller graphs with hubs are left to their ladder.
constexpr std::size_t kLeastMended = 4000;
// Constraints need frequent swaps in all directions.
constexpr std::uint64_t kModelSweepsPerSwap = 10;
// A launch costs a row kernel as much as some sweeps.
constexpr std::uint64_t kKernelFormSweeps = 10;
// Sweeps in which a later trial of a model comes down from the hottest row.
constexpr std::uint64_t kTrialAnneal = 400;
// On a card reading a descent's spins costs an extra launch.
constexpr std::uint64_t kBurstsPerQuench = 16;

// What f must not exceed in a state that is as good as the target: exactly, or never wrongly.
double target_of(const Decimal& objective, const Source& source, const Plan& plan) {
  const UserObjective user = source.user();
  if (user.scale == 0.0) throw UsageError("--target: every state has the same " + user.name);
  const Decimal rest = objective - user.shift;
  const Decimal f = std::abs(user.scale) != 1.0 ? Decimal(static_cast<double>(rest) / user.scale)
                    : user.scale > 0.0          ? rest
                                                : -rest;
  if (plan.as_written()) return source.model->forms().objective.threshold(f);
  const Quadratic& q = plan.problem().objective;
  return threshold(q, precision_of(q, source.written.rounded), f);
}

// A kernel's host needs as long for a swap round as the kernel for some fifty sweeps, so its rounds
// are rare and swap everything; a model's columns are few and far apart.
Cadence cadence_for(const Source& source, const PlanOptions& options, const Device& device,
                    bool by_rule, bool as_written) {
  const bool kernel = device.topology() != nullptr;
  if (as_written) {
    const std::uint64_t often = kernel ? kKernelFormSweeps : kByRule.sweeps_per_swap;
    return {options.sweeps_per_swap.value_or(often), options.swap_sets.value_or(SwapSets::all)};
  }
  Cadence cadence = by_rule ? kByRule : kOften;
  const bool constrained = source.model && source.model->model.constrained();
  if (kernel || constrained) cadence.sets = SwapSets::all;
  if (kernel) cadence.sweeps_per_swap = kPaper.sweeps_per_swap;
  if (constrained) cadence.sweeps_per_swap = kModelSweepsPerSwap;
  if (options.literal) cadence = kPaper;
  return {options.sweeps_per_swap.value_or(cadence.sweeps_per_swap),
          options.swap_sets.value_or(cadence.sets)};
}

std::uint64_t sweeps_for(const Source& source, const PlanOptions& options,
                         const Embedding& embedding, const Ladder& ladder, bool by_rule) {
  if (const auto asked = sweeps_asked_for(options)) return *asked;
  const bool constrained = source.model && source.model->model.constrained();
  if (!constrained && !by_rule) return SolveOptions{}.sweeps;
  const auto updates_of_sweep =
      static_cast<double>(embedding.pbits() * ladder.rows() * ladder.columns());
  const double updates = by_rule ? kRuleUpdates : kModelUpdates;
  return static_cast<std::uint64_t>(
      std::clamp(updates / updates_of_sweep, kLeastSweeps, kMostSweeps));
}

// Rows hotter than this, as beta times the rms field, skip sweeps on flip kernels: if fields are
// normal, more than 22 % of their draws flip a spin. They forget their states anyway, and are a
// quarter of the usual ladder (docs/flips.md).
constexpr double kHot = 1.6;

// What helps a ladder by rule (docs/lab/defaults.md). Kernels round beta to few bits, chosen at
// load time, so their cold end does not move.
SearchOptions search_for(const PlanOptions& options, const Embedding& embedding,
                         const Ladder& ladder, const Device& device) {
  SearchOptions search;
  search.quench_every = 16;
  search.quench_rows = std::max<std::size_t>(1, ladder.rows() / (8 * ladder.columns()));
  if (device.topology() != nullptr) {
    // Never in the colder half.
    search.skip_below = std::min(kHot / rms_field(embedding.model.f),
                                 std::sqrt(ladder.beta.front() * ladder.beta.back()));
    return search;
  }
  search.find_cold_end = true;
  if (is_flat(embedding.dimension)) {
    search.exchange_every = 20;
    search.exchange_from = 1.5 * ladder.beta.front() / hot_end(embedding.model.f);
  }
  // From here on the rows are too few for replicas to travel between hot and cold.
  const auto pbits = static_cast<double>(embedding.pbits());
  if (without_ladder(options, embedding, device)) {
    search.anneal_from = hot_end(embedding.model.f) / rms_field(embedding.model.f);
    // Elsewhere components that differ touch. A resumed run would have to know the state.
    if (embedding.dimension > 0.0 && options.checkpoint.empty()) search.mend_sweeps = kMendSweeps;
  } else if (embedding.pbits() >= kLeastMended && !is_flat(embedding.dimension) &&
             has_hubs(embedding.model.f) && options.checkpoint.empty()) {
    search.mend_sweeps = kMendSweeps;
  }
  if (options.initial.empty() &&
      kLengthOfRoot * std::sqrt(pbits) > static_cast<double>(ladder.rows())) {
    const auto couplings = static_cast<double>(embedding.model.f.couplings.size());
    search.anneal_sweeps = static_cast<std::uint64_t>(
        std::clamp(kAnnealedCouplings / std::max(1.0, couplings), 200.0, 5000.0));
  }
  return search;
}

// What differs if constraints run as written.
void set_for_forms(const CompiledForms& forms, const PlanOptions& options, const Device& device,
                   const Plan& plan, SolveOptions& solve) {
  const RunLength length = length_for(forms, plan.ladder);
  const auto asked = sweeps_asked_for(options);
  solve.sweeps = asked.value_or(length.sweeps);
  if (!asked) solve.patience = length.patience;
  solve.moves = search_moves(options, plan.embedding);
  solve.impossible = !forms.infeasible.empty();
  solve.in_flight = 1;  // replicas are many, and share the threads
  if (options.given_ladder) return;
  solve.known = plan.pilot_best;
  solve.end_at_optimum = options.stop_at_optimum && plan.solutions == 1;
  solve.search.anneal_sweeps =
      kTrialAnneal;  // of trials that have no ends of anneals to go on from
  // A kernel's weights are in its image.
  solve.search.grow_weights = forms.model.no_objective() && device.topology() == nullptr;
  solve.search.hold_penalty = !solve.search.grow_weights;
}

}  // namespace

bool without_ladder(const PlanOptions& options, const Embedding& embedding, const Device& device) {
  const bool by_hand = options.rows > 0 || options.columns > 0 || options.pilot.beta0 > 0.0;
  return !by_hand && options.initial.empty() && device.topology() == nullptr &&
         embedding.model.g.is_zero() && !embedding.model.forms &&
         kLengthOfRoot * std::sqrt(static_cast<double>(embedding.pbits())) > kUselessLength &&
         !is_flat(embedding.dimension);  // components need neighbours
}

Method method_for(const Source& source, const PlanOptions& options, const Embedding& embedding) {
  if (options.method) return *options.method;
  if (embedding.model.forms) return Method::two_dimensional;
  const bool constrained = source.problem().constraint.has_value() || embedding.copies > 1;
  return constrained ? Method::two_dimensional : Method::pt;
}

std::optional<Goal> goal_for(const Source& source, const PlanOptions& options, const Plan& plan) {
  if (options.solutions > 1 || !options.stop_at_optimum) return {};
  if (plan.as_written()) {
    // An inexact comparison proves nothing, so such a bound does not end a run.
    const CompiledForms& forms = source.model->forms();
    std::optional<Decimal> bound = forms.bound;
    if (plan.bound && (!bound || plan.bound->least > *bound)) bound = plan.bound->least;
    if (!bound || !forms.objective.ordered) return {};
    return Goal{forms.objective.threshold(*bound), "bound"};
  }
  const Problem& problem = plan.problem();
  if (options.target) return {};
  if (source.no_objective()) return Goal{problem.objective.offset, "first feasible state"};
  if (options.trials.value_or(1) > 1 || !problem.known_optimum) return {};
  const Precision precision = precision_of(problem.objective, source.written.rounded);
  return Goal{threshold(problem.objective, precision, *problem.known_optimum), "known optimum"};
}

// Feasible f at which the search for a ladder may already end: nothing better exists.
std::vector<double> ends_of(const Source& source, const PlanOptions& options, const Plan& plan) {
  std::vector<double> all;
  if ((!plan.as_written() && !plan.recovered) || options.balanced) return all;
  if (options.target) all.push_back(target_of(*options.target, source, plan));
  const auto goal = goal_for(source, options, plan);
  if (goal && options.trials.value_or(1) == 1) all.push_back(goal->energy);
  return all;
}

SolveOptions solve_options(const Source& source, const PlanOptions& options, const Device& device,
                           const Plan& plan) {
  SolveOptions solve;
  const bool by_rule =
      !options.given_ladder && kind_for(source, options, plan.embedding) == LadderKind::geometric;
  const Cadence cadence = cadence_for(source, options, device, by_rule, plan.as_written());
  if (by_rule) solve.search = search_for(options, plan.embedding, plan.ladder, device);
  solve.method = method_for(source, options, plan.embedding);
  if (plan.as_written()) {
    set_for_forms(source.model->forms(), options, device, plan, solve);
  } else {
    solve.sweeps = sweeps_for(source, options, plan.embedding, plan.ladder, by_rule);
  }
  solve.search.anneal_sweeps = std::min(solve.search.anneal_sweeps, solve.sweeps / 2);
  solve.sweeps_per_swap = cadence.sweeps_per_swap;
  solve.swap_sets = cadence.sets;
  const bool ours = solve.method == Method::two_dimensional && !options.literal &&
                    !options.given_ladder && !plan.as_written();
  solve.hold_feasible = options.hold_feasible.value_or(ours);
  solve.trials = options.trials.value_or(1);
  solve.first_trial = options.first_trial;
  // Several bit patterns can have the same values, so more states are kept than solutions shown.
  solve.keep = options.solutions > 1 ? 4 * options.solutions : 1;
  solve.seed = options.seed;
  if (options.time_limit > 0.0) {
    solve.time_limit = std::max(1e-6, options.time_limit - seconds_since(options.start));
  }
  if (options.target) solve.target = target_of(*options.target, source, plan);
  if (const auto goal = goal_for(source, options, plan)) solve.goal = goal->energy;
  if (plan.recovered) solve.known = plan.pilot_best;
  solve.accepts = accepts_of(source, plan);
  solve.initial = plan.reduction && !options.initial.empty()
                      ? plan.reduction->restrict(options.initial)
                      : options.initial;
  solve.checkpoint = options.checkpoint;
  return solve;
}

// On a card: enough trials to keep it busy, and fewer reads of spins, each of which is a launch.
// On a line that keeps a board waiting: longer bursts, as many as there would have been. With a
// constraint of its own a problem needs a launch for each penalty: that is not projected.
void fill_card(const Source& source, const PlanOptions& options, const Device& device, Plan& plan) {
  const BurstCosts* costs = device.costs();
  if (costs == nullptr || plan.as_written() || source.problem().constraint) return;
  const std::size_t replicas = plan.ladder.rows() * plan.ladder.columns();
  SolveOptions& solve = plan.solve;
  if (!costs->overlaps && !options.sweeps_per_swap && !options.literal && !options.sweeps) {
    // Beyond the most sweeps a burst would be cut, and its second part go over the line as well.
    const std::uint64_t wanted = balanced_sweeps(*costs, replicas) + solve.sweeps_per_swap - 1;
    const std::uint64_t most = most_sweeps(plan.embedding.pbits(), replicas);
    const auto longer = std::max<std::uint64_t>(1, std::min(wanted, most) / solve.sweeps_per_swap);
    solve.sweeps_per_swap *= longer;
    if (!sweeps_asked_for(options)) solve.sweeps *= longer;
  }
  const Flight flight = choose_flight(*costs, device.topology()->options.max_replicas, replicas,
                                      solve.sweeps_per_swap);
  solve.in_flight = flight.grids * costs->units;
  if (!options.trials) solve.trials = solve.in_flight;
  if (solve.search.quench_every > 0) {
    solve.search.quench_every = kBurstsPerQuench * solve.sweeps_per_swap;
  }
  const std::size_t used = std::min(solve.in_flight, solve.trials);
  const std::size_t share = (used + costs->units - 1) / costs->units;  // grids of the busiest unit
  plan.ladder.notes.push_back(fmt::format(
      "{} in flight on {}, {} replicas x {} sweeps per burst: the device is idle {:.0f} % "
      "of the time (projected)",
      counted(used, "trial"), counted(costs->units, "compute unit"), replicas,
      solve.sweeps_per_swap,
      100.0 * projected_idle(*costs, share, replicas, solve.sweeps_per_swap)));
}

}  // namespace chainmail
