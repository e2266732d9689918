#include "run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "device/group/group_device.hpp"
#include "device/group/launched.hpp"
#include "device/group/remote_device.hpp"
#include "ladder/ladder_file.hpp"
#include "run/answers.hpp"
#include "run/exact_run.hpp"
#include "run/flight.hpp"
#include "run/form_run.hpp"
#include "run/run_length.hpp"
#include "solve/component_exchange.hpp"
#include "support/atomic_file.hpp"
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
// Couplings read by a replica in its anneal: half a second of 32 of them.
constexpr double kAnnealedCouplings = 1e8;
// Constraints want frequent swaps in all directions.
constexpr std::uint64_t kModelSweepsPerSwap = 10;
// Lattices below this dimension exchange components; above it, and up to so many spins, there are
// several ladders side by side.
constexpr double kFlat = 2.4;
constexpr std::size_t kSmallLattice = 2000, kLatticeLadders = 4;
// On a card a descent's spins cost a launch of their own.
constexpr std::uint64_t kBurstsPerQuench = 16;

// Models get exact arithmetic unless told otherwise: f between two feasible states may differ by
// less than few bits keep beside a large penalty.
std::string precision_for(const Source& source, const PlanOptions& options) {
  const std::string& wanted = options.device.precision;
  const bool constrained = source.model && source.model->model.constrained();
  return constrained && wanted == "auto" ? "float" : wanted;
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A model's own judgement: where constraints were rounded, g = 0 is not the user's word yet.
Accepts accepts_of(const Source& source) {
  if (!source.model) return {};
  return [&model = *source.model](std::span<const Spin> spins) {
    return evaluate(model.model, model.compiled().decode(spins)).feasible();
  };
}

double energy_of(double objective, const UserObjective& user) {
  if (user.scale == 0.0) throw UsageError("--target: every state has the same " + user.name);
  return (objective - user.shift) / user.scale;
}

LadderKind kind_for(const Source& source, const PlanOptions& options, const Embedding& embedding) {
  const bool constrained = source.model && source.problem().constraint && !options.plain_penalty;
  if (constrained) return LadderKind::constrained;
  if (options.ladder) return *options.ladder;
  if (options.literal) return LadderKind::paper;
  if (embedding.model.g.is_zero()) return LadderKind::geometric;
  return options.device.moves == "chain" ? LadderKind::rigid : LadderKind::window;
}

LadderOptions ladder_options(const Source& source, const PlanOptions& options,
                             const Embedding& embedding, const Device& device,
                             const TuningWatch& watch) {
  LadderOptions wanted;
  wanted.kind = kind_for(source, options, embedding);
  wanted.pilot = options.pilot;
  if (options.rows > 0) {
    wanted.pilot.max_rows = wanted.rehearsal.max_rows = wanted.window.max_rows = options.rows;
    wanted.geometric.rows = options.rows;
  }
  if (options.columns > 0) {
    wanted.pilot.max_columns = wanted.rehearsal.max_columns = options.columns;
    wanted.window.columns = wanted.rigid_columns = options.columns;
  } else if (device.topology() != nullptr) {
    wanted.window.max_replicas = device.topology()->options.max_replicas;
    if (const BurstCosts* costs = device.costs()) {
      const std::uint64_t sweeps = options.sweeps_per_swap.value_or(kPaper.sweeps_per_swap);
      wanted.window.max_replicas =
          replicas_in_flight(*costs, device.topology()->options.max_replicas, sweeps);
    }
  }
  wanted.pilot.seed = wanted.rehearsal.seed = wanted.window.seed = options.seed;
  wanted.window.beta0 = options.pilot.beta0;
  wanted.window.penalty0 = options.pilot.penalty0;
  wanted.rehearsal.sweeps = options.rehearsal_sweeps;
  wanted.pilot.watch = wanted.rehearsal.watch = wanted.window.watch = watch;
  wanted.geometric.beta0 = options.pilot.beta0;
  if (device.topology() != nullptr) {
    wanted.geometric.rows =
        std::min<std::size_t>(wanted.geometric.rows, device.topology()->options.max_replicas);
  }
  return wanted;
}

// Whether components are worth exchanging.
bool is_flat(double dimension) {
  return dimension > 0.0 && dimension < kFlat;
}

// Ladders side by side of a run by rule. One finds soonest, but on a small lattice of three
// dimensions, where it gets stuck for long; tables do four in the time of two and a half.
std::size_t ladders_for(const PlanOptions& options, const Embedding& embedding,
                        const Device& device) {
  if (options.columns > 0) return options.columns;
  const std::vector<Coupling>& couplings = embedding.model.f.couplings;
  if (device.topology() != nullptr || embedding.pbits() > kSmallLattice || couplings.empty()) {
    return 1;
  }
  const double size = std::abs(couplings.front().value);
  const bool one_size = std::all_of(couplings.begin(), couplings.end(),
                                    [&](const Coupling& c) { return std::abs(c.value) == size; });
  return one_size && lattice_dimension(embedding.model.f) >= kFlat ? kLatticeLadders : 1;
}

// Pilots run on the CPU, whatever the run itself is on.
Ladder found_ladder(const Source& source, const PlanOptions& options, const Embedding& embedding,
                    const Device& device, const std::atomic<bool>& stop,
                    const PilotObserver& observer, const TuningWatch& watch) {
  watch.after_burst();  // it may be time before anything has begun
  const auto cpu = make_device(
      {"cpu", options.device.threads, precision_for(source, options), options.device.moves});
  const LadderOptions wanted = ladder_options(source, options, embedding, device, watch);
  Ladder ladder = choose_ladder(embedding, *cpu, wanted, stop, observer);
  if (wanted.kind != LadderKind::geometric) return ladder;
  return ladder.with_columns(
      std::vector<double>(ladders_for(options, embedding, device), ladder.penalty.front()));
}

// A resumed run takes its ladder from beside the checkpoint: tuning again would only cost time.
Ladder ladder_for(const Source& source, const PlanOptions& options, const Embedding& embedding,
                  const Device& device, const std::atomic<bool>& stop,
                  const PilotObserver& observer, const TuningWatch& watch) {
  if (options.given_ladder) return *options.given_ladder;
  const std::string saved = options.checkpoint + ".schedule";
  const bool resumes = !options.checkpoint.empty() && std::filesystem::exists(options.checkpoint) &&
                       std::filesystem::exists(saved);
  if (resumes) return read_ladder(saved);
  Ladder ladder = found_ladder(source, options, embedding, device, stop, observer, watch);
  if (!options.checkpoint.empty()) write_file(saved, ladder_to_json(ladder));
  return ladder;
}

Method method_for(const Source& source, const PlanOptions& options, const Embedding& embedding) {
  if (options.method) return *options.method;
  const bool constrained = source.problem().constraint.has_value() || embedding.copies > 1;
  return constrained ? Method::two_dimensional : Method::pt;
}

// A kernel's host needs as long for a swap round as the kernel for some fifty sweeps, so its rounds
// are rare and swap everything; a model's columns are few and far apart.
Cadence cadence_for(const Source& source, const PlanOptions& options, const Device& device,
                    bool by_rule) {
  const bool kernel = device.topology() != nullptr;
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

// What helps a ladder by rule (docs/lab/defaults.md). Kernels round beta to few bits, chosen when
// they load, so their cold end stays where it is.
SearchOptions search_for(const PlanOptions& options, const Embedding& embedding,
                         const Ladder& ladder, const Device& device) {
  SearchOptions search;
  search.quench_every = 16;
  search.quench_rows = std::max<std::size_t>(1, ladder.rows() / (8 * ladder.columns()));
  if (device.topology() != nullptr) return search;
  search.find_cold_end = true;
  if (is_flat(lattice_dimension(embedding.model.f))) {
    search.exchange_every = 20;
    search.exchange_from = 1.5 * ladder.beta.front();
  }
  // From here on the rows are too few for replicas to travel between hot and cold.
  const auto pbits = static_cast<double>(embedding.pbits());
  if (options.initial.empty() &&
      kLengthOfRoot * std::sqrt(pbits) > static_cast<double>(ladder.rows())) {
    const auto couplings = static_cast<double>(embedding.model.f.couplings.size());
    search.anneal_sweeps = static_cast<std::uint64_t>(
        std::clamp(kAnnealedCouplings / std::max(1.0, couplings), 200.0, 5000.0));
  }
  return search;
}

// Where a run ends that was given no target.
struct Goal {
  double energy;
  std::string name;
};
std::optional<Goal> goal_for(const Source& source, const PlanOptions& options,
                             const Problem& problem) {
  if (options.target || options.solutions > 1 || !options.stop_at_optimum) return {};
  if (source.aimless()) return Goal{problem.objective.offset, "first feasible state"};
  if (options.trials.value_or(1) > 1 || !problem.known_optimum) return {};
  return Goal{*problem.known_optimum, "known optimum"};
}

SolveOptions solve_options(const Source& source, const PlanOptions& options, const Device& device,
                           const Plan& plan) {
  SolveOptions solve;
  const bool by_rule =
      !options.given_ladder && kind_for(source, options, plan.embedding) == LadderKind::geometric;
  const Cadence cadence = cadence_for(source, options, device, by_rule);
  if (by_rule) solve.search = search_for(options, plan.embedding, plan.ladder, device);
  solve.method = method_for(source, options, plan.embedding);
  solve.sweeps = sweeps_for(source, options, plan.embedding, plan.ladder, by_rule);
  solve.search.anneal_sweeps = std::min(solve.search.anneal_sweeps, solve.sweeps / 2);
  solve.sweeps_per_swap = cadence.sweeps_per_swap;
  solve.swap_sets = cadence.sets;
  const bool ours =
      solve.method == Method::two_dimensional && !options.literal && !options.given_ladder;
  solve.hold_feasible = options.hold_feasible.value_or(ours);
  solve.trials = options.trials.value_or(1);
  solve.first_trial = options.first_trial;
  // Bits can say the same in several ways, so more states are kept than solutions shown.
  solve.keep = options.solutions > 1 ? 4 * options.solutions : 1;
  solve.seed = options.seed;
  if (options.time_limit > 0.0) {
    solve.time_limit = std::max(1e-6, options.time_limit - seconds_since(options.start));
  }
  if (options.target) solve.target = energy_of(*options.target, source.problem().user);
  if (const auto goal = goal_for(source, options, plan.problem())) solve.target = goal->energy;
  solve.accepts = accepts_of(source);
  solve.initial = plan.reduction && !options.initial.empty()
                      ? plan.reduction->restrict(options.initial)
                      : options.initial;
  solve.checkpoint = options.checkpoint;
  return solve;
}

// On a card: as many trials as keep it busy, and fewer looks at spins, each of which is a launch.
// With a constraint of its own a problem needs a launch for each penalty: that is not projected.
void fill_card(const Source& source, const PlanOptions& options, const Device& device, Plan& plan) {
  const BurstCosts* costs = device.costs();
  if (costs == nullptr || source.problem().constraint) return;
  const std::size_t replicas = plan.ladder.rows() * plan.ladder.columns();
  SolveOptions& solve = plan.solve;
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
      "{} in flight on {}, {} replicas x {} sweeps a burst: the card waits {:.0f} % of the time "
      "(projected)",
      counted(used, "trial"), counted(costs->units, "compute unit"), replicas,
      solve.sweeps_per_swap,
      100.0 * projected_idle(*costs, share, replicas, solve.sweeps_per_swap)));
}

// Stands in for a ladder that was not found in time: the run on it ends with its first burst.
Ladder makeshift_ladder(const Embedding& embedding) {
  const Units units = units_of(embedding.model);
  Ladder ladder;
  ladder.beta = {1.0 / units.f, 3.0 / units.f};
  ladder.penalty = {embedding.model.g.is_zero() ? 0.0 : 3.0 * units.f / units.g};
  ladder.notes = {"tuning was stopped before a ladder was found"};
  return ladder;
}

void check(const PlanOptions& options) {
  if (options.solutions > 1 && !options.checkpoint.empty()) {
    throw UsageError("--solutions and --checkpoint exclude each other");
  }
}

Embedding embed_problem(const Device& device, const Source& source, const Problem& problem,
                        const PlanOptions& options) {
  const Topology* topology = device.topology();
  if (topology != nullptr && options.copies > 1 && options.copies != topology->options.copies) {
    throw UsageError("--copies " + std::to_string(options.copies) + ", but " + options.device.name +
                     " has topology " + topology->name);
  }
  // The CPU needs no colours; with copies they are told, without they are as many as spins are
  // dense.
  const Colours colours = options.copies > 1 ? Colours::found : Colours::none;
  Embedding embedding =
      topology != nullptr
          ? embed(problem, *topology)
          : embed(problem, options.copies, placement_on(device, options), options.seed, colours);
  if (!source.model) return embedding;
  return with_residuals(std::move(embedding), source.model->compiled().residuals);
}

// Only where a run by rule on the CPU looks for one answer: kernels have their own embedding, and
// of several answers some would differ in the spins taken out alone.
bool may_reduce(const Source& source, const PlanOptions& options, const Device& device) {
  const bool by_rule = !options.given_ladder && !options.literal &&
                       options.ladder.value_or(LadderKind::geometric) == LadderKind::geometric;
  return options.reduce && by_rule && !source.model && !source.problem().constraint &&
         device.topology() == nullptr && options.copies == 1 && options.solutions == 1 &&
         options.device.moves == "single";
}

// A state of what was solved as one of the user's problem.
void lift(const Plan& plan, TrialResult& state) {
  if (!plan.reduction || state.solution.empty()) return;
  state.solution = plan.reduction->lift(state.solution);
  state.energy = plan.source->problem().objective(state.solution);
}

void lift(const Plan& plan, Result& result) {
  if (!plan.reduction) return;
  const Problem& problem = plan.source->problem();
  result.spins = problem.size();
  result.names = problem.names;
  for (TrialResult& state : result.per_trial) lift(plan, state);
  for (TrialResult& state : result.pool) lift(plan, state);
  TrialResult best = result.best;
  lift(plan, best);
  set_best(result, plan.problem(), std::move(best));
  if (result.known_optimum) {
    result.residual_per_spin =
        (result.best.energy - *result.known_optimum) / static_cast<double>(problem.size());
  }
  result.ladder.notes.push_back(fmt::format("{} taken out exactly, {} left",
                                            counted(problem.size() - plan.problem().size(), "spin"),
                                            plan.problem().size()));
}

}  // namespace

std::unique_ptr<Device> open_device(const Source& source, const PlanOptions& options) {
  DeviceOptions wanted = options.device;
  wanted.precision = precision_for(source, options);
  // A constrained model has more bits in squares, and row kernels need none.
  const bool rows = wanted.name.find("rows") != std::string::npos;
  if (rows && source.model && source.model->model.constrained()) {
    wanted.forms = std::make_shared<FormModel>(source.model->forms().model);
  } else if (wanted.name != "cpu") {
    wanted.spins = source.problem().size();
  }
  wanted.copies = options.copies;
  if (launched_channels().empty()) return make_device(wanted);
  // Every process lends what it has under that name.
  const GroupOptions group{wanted.tiles, wanted.mixed};
  wanted.tiles = 1;
  if (wanted.threads == 0) wanted.threads = 1;  // launchers start a process a core
  std::vector<std::unique_ptr<Device>> members;
  members.push_back(make_device(wanted));
  for (const auto& channel : launched_channels()) {
    members.push_back(make_remote_device(channel, wanted));
  }
  return make_group_device(std::move(members), group);
}

Placement placement_on(const Device& device, const PlanOptions& options) {
  if (const Topology* topology = device.topology()) return topology->options.placement;
  return options.placement.value_or(Placement::packed);
}

Embedding embed_on(const Device& device, const Source& source, const PlanOptions& options) {
  return embed_problem(device, source, source.problem(), options);
}

Plan plan(const Source& source, const PlanOptions& options, const Device& device,
          const std::atomic<bool>& stop, const PilotObserver& observer) {
  check(options);
  Plan plan;
  plan.source = &source;
  plan.placement = placement_on(device, options);
  plan.moves = options.device.moves;
  plan.solutions = options.solutions;
  if (wants_exact(options, device)) plan.exact = run_exactly(source, options, stop);
  if (plan.exact) return plan;
  if (wants_forms(source, options, device)) {
    plan.forms = form_options(source, options, device);
    return plan;
  }
  if (!options.initial_values.empty()) {
    throw UsageError("--initial with a model's variables needs the CPU and its default method");
  }
  if (may_reduce(source, options, device)) plan.reduction = Reduction::of(source.problem());
  plan.embedding = embed_problem(device, source, plan.problem(), options);
  const auto start = std::chrono::steady_clock::now();
  BestState seen(plan.problem(), plan.embedding, 1, accepts_of(source));
  TuningWatch watch;
  watch.keep_going = [&] {
    return !stop &&
           !(options.time_limit > 0.0 && seconds_since(options.start) >= options.time_limit);
  };
  watch.look = [&](const BurstResult& burst, Device& pilot) { seen.offer(burst, pilot, 0, 0); };
  Ladder found;
  try {
    found = ladder_for(source, options, plan.embedding, device, stop, observer, watch);
  } catch (const TuningStopped&) {
    plan.cut_short = true;
    found = makeshift_ladder(plan.embedding);
  }
  if (!seen.result().solution.empty()) plan.pilot_best = seen.result();
  plan.ladder = columns_for(method_for(source, options, plan.embedding), found, options.penalty);
  plan.embedding = with_multipliers(std::move(plan.embedding), plan.ladder.multipliers);
  plan.tune_seconds = seconds_since(start);
  plan.solve = solve_options(source, options, device, plan);
  if (const auto goal = goal_for(source, options, plan.problem())) plan.goal = goal->name;
  fill_card(source, options, device, plan);
  if (plan.cut_short) {
    plan.solve.checkpoint.clear();  // on another ladder than the run's to come
    plan.solve.time_limit = plan.solve.time_limit > 0.0 ? 1e-6 : 0.0;
  }
  return plan;
}

Result run(const Plan& plan, Device& device, const std::atomic<bool>& stop,
           const SolveObserver& observer) {
  if (plan.exact) return *plan.exact;
  if (plan.forms) return run_forms(plan, device, stop, observer);
  const Source& source = *plan.source;
  Result result =
      solve(plan.problem(), plan.embedding, plan.ladder, device, plan.solve, stop, observer);
  result.tune_seconds = plan.tune_seconds;
  result.moves = plan.moves;
  result.placement = name_of(plan.placement);
  const bool ended = result.stopped_by == "sweeps" || result.stopped_by == "target";
  if (!ended && plan.pilot_best && better(*plan.pilot_best, result.best)) {
    set_best(result, plan.problem(), *plan.pilot_best);
  }
  lift(plan, result);
  if (result.stopped_by == "target") result.stopped_by = plan.goal;
  if (source.model) {
    const CompiledModel& compiled = source.model->compiled();
    answer_in_users_terms(result, source.model->model, plan.solutions,
                          [&](std::span<const Spin> spins) { return compiled.decode(spins); });
    result.model_notes = compiled.notes;
  } else {
    keep_distinct(result, source.problem(), plan.solutions);
  }
  return result;
}

std::vector<TrialResult> best_at(const std::vector<std::uint64_t>& times, const Plan& plan,
                                 Device& device) {
  std::vector<TrialResult> found =
      best_at(times, plan.problem(), plan.embedding, plan.ladder, device, plan.solve);
  for (TrialResult& state : found) lift(plan, state);
  return found;
}

}  // namespace chainmail
