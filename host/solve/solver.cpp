#include "solve/solver.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "grid/initial_states.hpp"
#include "ladder/geometric.hpp"
#include "problem/precision.hpp"
#include "solve/checkpoint.hpp"
#include "solve/driver_threads.hpp"
#include "solve/trial.hpp"
#include "support/error.hpp"
#include "support/save_request.hpp"

namespace chainmail {

Method method_from_name(const std::string& name) {
  for (Method method : {Method::two_dimensional, Method::jcolumn, Method::pt}) {
    if (name == name_of(method)) return method;
  }
  throw UsageError("unknown method '" + name + "'; expected 2dpt, jcolumn or pt");
}

std::string name_of(Method method) {
  switch (method) {
    case Method::two_dimensional:
      return "2dpt";
    case Method::jcolumn:
      return "jcolumn";
    case Method::pt:
      return "pt";
  }
  return {};
}

Ladder columns_for(Method method, const Ladder& ladder, std::optional<double> penalty) {
  if (method == Method::two_dimensional) return ladder;
  const double mean = std::accumulate(ladder.penalty.begin(), ladder.penalty.end(), 0.0) /
                      static_cast<double>(ladder.columns());
  // Columns of one penalty are ladders side by side, with any method.
  const bool alike = std::all_of(ladder.penalty.begin(), ladder.penalty.end(),
                                 [&](double p) { return p == ladder.penalty.front(); });
  const std::size_t columns = method == Method::pt && !alike ? 1 : ladder.columns();
  Ladder changed = ladder.with_columns(std::vector<double>(columns, penalty.value_or(mean)));
  // The baselines have no quenching cell: all their rows count equally.
  changed.answer_beta = 0.0;
  return changed;
}

bool better(const TrialResult& a, const TrialResult& b) {
  if (a.feasible != b.feasible) return a.feasible;
  return a.feasible ? a.energy < b.energy : a.g < b.g;
}

void set_best(Result& result, const Problem& problem, TrialResult best) {
  result.best = std::move(best);
  result.objective = problem.user.scale * result.best.energy + problem.user.shift;
  if (problem.known_optimum) {
    result.residual_per_spin =
        (result.best.energy - *problem.known_optimum) / static_cast<double>(problem.size());
  }
}

bool reached(std::optional<double> best, std::optional<double> target) {
  return best && target && *best <= *target;
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMeetUpdates = 4e6;  // of a trial, between two looks at all of them

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t peak_memory_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

// Mean over columns.
double sum_of_rejections(const AcceptanceTable& acceptance) {
  double sum = 0.0;
  for (const auto& row : acceptance) {
    for (double accepted : row) {
      if (std::isfinite(accepted)) sum += (1.0 - accepted) / static_cast<double>(row.size());
    }
  }
  return sum;
}

class Run {
 public:
  Run(const Problem& problem, const Embedding& embedding, const Ladder& ladder, Device& device,
      const SolveOptions& options, const std::atomic<bool>& stop, const SolveObserver& observer)
      : problem_(problem),
        embedding_(embedding),
        ladder_(ladder),
        device_(device),
        options_(options),
        stop_(stop),
        observer_(observer),
        replicas_(ladder.rows() * ladder.columns()),
        judge_(problem, embedding, options.accepts),
        rounds_together_(rounds_together()),
        fingerprint_(options.checkpoint.empty()
                         ? 0
                         : run_fingerprint(embedding.model, ladder, device, options)) {
    if (options.beside && options.trials == 1) beside_.emplace(*options.beside);
    going_ = [this](const JumpPoint&, std::uint64_t) { return stop_reason().empty(); };
  }

  Result run() {
    if (!options_.checkpoint.empty()) {
      if (auto found = read_checkpoint(options_.checkpoint, fingerprint_,
                                       {&judge_, embedding_.logical, embedding_.pbits(), replicas_,
                                        growing_weights(), &options_})) {
        progress_ = std::move(*found);
      }
    }
    std::string stopped_by = reason_not_to_start();
    if (!stopped_by.empty()) {
      progress_.finished = {record_of_known()};
      return make_result(stopped_by);
    }
    while (progress_.finished.size() < options_.trials && stopped_by.empty()) {
      stopped_by = run_batch_or_fault();
      if (stopped_by.empty()) {
        for (const Trial& trial : batch_) progress_.finished.push_back(trial.record());
        batch_.clear();
        stopped_by = stop_reason();
      }
      // After a fault the spins are lost: the last checkpoint stays.
      if (!options_.checkpoint.empty() && fault_.empty()) save_checkpoint();
    }
    for (Trial& trial : batch_) trial.settle();
    const bool complete = progress_.finished.size() == options_.trials;
    if (complete) stopped_by = !all_at_goal() ? "sweeps" : at_target() ? "target" : "goal";
    if (progress_.finished.empty() && batch_.empty()) progress_.finished = {record_of_known()};
    return make_result(stopped_by);
  }

 private:
  // The anneals that found the ladder may already have reached the goal.
  std::string reason_not_to_start() const {
    if (!options_.known || !progress_.finished.empty() || !progress_.running.empty()) return {};
    const TrialResult& known = *options_.known;
    const auto f = known.feasible ? std::optional(known.energy) : std::nullopt;
    if (reached(f, options_.target)) return "target";
    if (options_.trials == 1 && reached(f, options_.goal)) return "goal";
    return stop_reason();
  }

  TrialRecord record_of_known() const {
    const TrialResult& known = *options_.known;
    TrialRecord record;
    record.best.best = known;
    if (known.feasible && options_.keep > 1) record.best.pool = {known};
    record.answer_energy = known.energy;
    record.trace = {
        {0, known.energy, known.g, known.feasible ? std::optional(known.energy) : std::nullopt}};
    return record;
  }

  std::size_t growing_weights() const {
    return options_.search.grow_weights ? embedding_.model.forms->limits.size() : 0;
  }

  bool all_at_goal() const {
    return std::all_of(progress_.finished.begin(), progress_.finished.end(),
                       [&](const TrialRecord& record) {
                         const TrialResult& best = record.best.best;
                         return best.feasible && reached(best.energy, options_.goal);
                       });
  }

  void load_batch() {
    const std::size_t first = options_.first_trial + progress_.finished.size();
    const std::size_t count =
        std::min(options_.in_flight, options_.trials - progress_.finished.size());
    load_grids(device_, embedding_, ladder_, count, options_.seed, first,
               options_.hold_feasible ? FeasibilityWatch::kMost : 1.0, options_.moves,
               options_.search.skip_below);
    for (std::size_t grid = 0; grid < count; ++grid) {
      batch_.emplace_back(problem_, embedding_, ladder_, options_, first + grid, grid, device_);
      if (grid < progress_.running.size()) {
        batch_.back().restore(progress_.running[grid], progress_.spins[grid]);
      } else {
        batch_.back().write_initial_states();
      }
    }
    progress_.running.clear();
    progress_.spins.clear();
  }

  // Returns why it stopped early, or nothing when every trial of the batch is done. Each trial's
  // next burst starts as soon as its last is dealt with, so the device works while the host does;
  // to stop or to save, the current round is finished first. A device whose grids come in groups
  // gets a thread for each; they meet between the same rounds as in one thread, while their next
  // bursts are in flight, so that all decisions are the same.
  std::string run_batch() {
    DriverThreads drivers(batch_, device_);
    const auto start_all = [&] {
      for (Trial& trial : batch_) {
        if (!trial.done()) trial.start_burst();
      }
    };
    const auto all_done = [&] {
      return std::all_of(batch_.begin(), batch_.end(), [](const Trial& t) { return t.done(); });
    };
    if (all_done()) return {};
    start_all();
    for (;;) {
      std::string why = stop_reason();
      const bool save = !options_.checkpoint.empty() &&
                        (take_checkpoint_request() ||
                         seconds_since(last_checkpoint_) >= options_.checkpoint_seconds);
      const bool pause = save || !why.empty();
      drivers.for_each([&](Trial& trial) {
        if (trial.done()) return;
        do {
          trial.finish_burst();
          if (beside_ && !trial.done()) trial.look_beside(*beside_, going_);
          if (!pause && !trial.done()) trial.start_burst();
        } while (!pause && !trial.done() && trial.rounds() % rounds_together_ != 0);
      });
      report_progress();
      if (all_done()) return {};
      if (!why.empty()) return why;
      if (!pause) continue;
      save_checkpoint();
      start_all();
    }
  }

  // Trials by rule on the CPU, whose rounds are short, meet after some milliseconds of work each,
  // since meeting costs a thread tens of microseconds. All others meet after every round.
  std::uint64_t rounds_together() const {
    const bool by_rule = options_.search.quench_every > 0 && device_.topology() == nullptr;
    if (!by_rule || std::min(options_.trials, options_.in_flight) < 2) return 1;
    const double round =
        static_cast<double>(replicas_ * embedding_.pbits() * options_.sweeps_per_swap);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(kMeetUpdates / round));
  }

  // A device that fails ends the run with the best state so far; without one, in its error.
  std::string run_batch_or_fault() {
    try {
      load_batch();
      return run_batch();
    } catch (const DeviceError& error) {
      if (sweeps_done() == 0 && !options_.known) throw;
      fault_ = error.what();
      return "device fault";
    }
  }

  std::string stop_reason() const {
    if (stop_) return "interrupt";
    if (options_.time_limit > 0 && seconds_since(start_) >= options_.time_limit)
      return "time limit";
    if (options_.impossible && (options_.known || sweeps_done() > 0)) {
      return "proof that no solution exists";
    }
    if (at_target()) return "target";
    return closed() ? "goal" : "";
  }
  bool at_target() const { return reached(best_energy(), options_.target); }
  bool closed() const { return beside_ && beside_->closed() && options_.end_at_optimum; }

  std::optional<double> best_energy() const {
    std::optional<double> best;
    const auto offer = [&](std::optional<double> energy) {
      if (energy && (!best || *energy < *best)) best = energy;
    };
    for (const TrialRecord& record : progress_.finished) {
      if (record.best.best.feasible) offer(record.best.best.energy);
    }
    for (const Trial& trial : batch_) offer(trial.best_energy());
    return best;
  }

  void save_checkpoint() {
    Checkpoint checkpoint{progress_.finished, {}, {}, seconds()};
    for (const Trial& trial : batch_) {
      checkpoint.running.push_back(trial.record());
      checkpoint.spins.push_back(trial.spins());
    }
    try {
      write_checkpoint(options_.checkpoint, fingerprint_, checkpoint);
      checkpoint_fault_.clear();
    } catch (const InputError& error) {  // a full disk must not lose the run as well
      checkpoint_fault_ = error.what();
    }
    last_checkpoint_ = Clock::now();
  }

  double seconds() const { return progress_.seconds + seconds_since(start_); }

  std::uint64_t sweeps_done() const {
    std::uint64_t sum = 0;
    for (const TrialRecord& record : progress_.finished) sum += record.sweeps;
    for (const Trial& trial : batch_) sum += trial.sweeps_done();
    return sum;
  }

  std::uint64_t updates() const {
    std::uint64_t skipped = 0;
    for (const TrialRecord& record : progress_.finished) skipped += record.skipped;
    for (const Trial& trial : batch_) skipped += trial.skipped();
    return (sweeps_done() * replicas_ - skipped) * embedding_.pbits();
  }

  void report_progress() const {
    if (!observer_) return;
    const double total =
        static_cast<double>(options_.sweeps) * static_cast<double>(options_.trials);
    observer_({static_cast<double>(sweeps_done()) / total, sweeps_done(), best_energy(), updates(),
               seconds(), [this] { return rejections_so_far(); }});
  }

  double rejections_so_far() const {
    SwapStatistics swaps(replicas_);
    for (const Trial& trial : batch_) swaps += trial.swaps();
    return sum_of_rejections(chainmail::acceptance_beta(swaps, ladder_.columns()));
  }

  Result make_result(const std::string& stopped_by);

  const Problem& problem_;
  const Embedding& embedding_;
  const Ladder& ladder_;
  Device& device_;
  const SolveOptions& options_;
  const std::atomic<bool>& stop_;
  const SolveObserver& observer_;
  std::size_t replicas_;
  Judge judge_;
  std::uint64_t rounds_together_;
  std::uint64_t fingerprint_;
  Checkpoint progress_;  // what earlier batches and sessions left
  std::vector<Trial> batch_;
  std::optional<Beside> beside_;
  JumpGoing going_;
  std::string fault_;  // what a failed device said
  std::string checkpoint_fault_;
  Clock::time_point start_ = Clock::now(), last_checkpoint_ = start_;
};

Result Run::make_result(const std::string& stopped_by) {
  Result result;
  result.problem = problem_.name;
  result.spins = embedding_.logical;
  result.names = problem_.names;
  result.known_optimum = problem_.known_optimum;
  const Precision precision = precision_of(problem_.objective);
  result.gap_tolerance = precision.tolerance();
  result.rounding = precision.slack;
  result.objective_name = problem_.user.name;
  result.scale = problem_.user.scale;
  result.shift = problem_.user.shift;
  result.constrained = problem_.constraint.has_value() || embedding_.model.forms;
  result.bits = problem_.bits() || embedding_.model.forms;
  result.method = name_of(options_.method);
  result.device = device_.describe();
  result.copies = embedding_.copies;
  result.pbits = embedding_.pbits();
  const std::vector<std::uint32_t>& colour = embedding_.model.colour;
  result.colours = colour.empty() ? 0 : *std::max_element(colour.begin(), colour.end()) + 1;
  result.seed = options_.seed;
  result.sweeps_per_swap = options_.sweeps_per_swap;
  result.swap_sets = name_of(options_.swap_sets);
  result.pilot_sweeps = (ladder_.replica_sweeps + replicas_ - 1) / replicas_;
  result.ladder = ladder_;
  result.stopped_by = stopped_by;
  if (beside_ && beside_->closed()) result.closed_by = beside_->multipliers();
  result.device_fault = fault_;
  result.checkpoint_fault = checkpoint_fault_;
  result.updates = updates();
  result.seconds = seconds();
  result.updates_per_ns =
      static_cast<double>(result.updates) / (1e9 * std::max(1e-9, result.seconds));
  result.peak_memory_kib = peak_memory_kib();

  std::vector<TrialRecord> records = std::move(progress_.finished);
  for (const Trial& trial : batch_) records.push_back(trial.record());
  // A failed device may have left trials that never judged a state.
  if (records.size() > 1 && !fault_.empty()) {
    std::erase_if(records, [](const TrialRecord& r) { return r.best.best.solution.empty(); });
  }
  result.trials = records.size();
  result.first_trial = options_.first_trial;
  result.members = device_.members();
  SwapStatistics swaps(replicas_);
  double feasible_rounds = 0.0;
  double rounds = 0.0;
  double raised = 1.0;
  std::optional<double> colder;  // of the first trial
  for (const TrialRecord& record : records) {
    result.per_trial.push_back(record.best.best);
    result.pool.insert(result.pool.end(), record.best.pool.begin(), record.best.pool.end());
    result.mean_answer_energy += record.answer_energy / static_cast<double>(records.size());
    feasible_rounds += static_cast<double>(record.answer_feasible);
    rounds += static_cast<double>(record.rounds);
    if (!record.grid.cell_of.empty()) swaps += record.grid.statistics;
    raised = std::max(raised, record.watch.factor);
    result.quenches += record.quenches;
    result.exchanges += record.exchanges;
    result.sweeps = std::max(result.sweeps, record.sweeps);
    if (!colder) colder = record.cold_end.factor;
  }
  const auto best_record = std::min_element(
      records.begin(), records.end(),
      [](const TrialRecord& a, const TrialRecord& b) { return better(a.best.best, b.best.best); });
  for (double& penalty : result.ladder.penalty) penalty *= best_record->penalty.factor;
  if (*colder > 1.0) {
    // As the first trial left it.
    result.ladder.beta =
        geometric_rows(ladder_.beta.front(), ladder_.beta.back() * *colder, ladder_.rows());
    result.ladder.notes.push_back(
        fmt::format("the cold end was moved from beta {:.4g} to {:.4g} during the run",
                    ladder_.beta.back(), result.ladder.beta.back()));
  }
  if (raised > 1.0) {
    result.ladder.notes.push_back(fmt::format(
        "the answer's penalty was raised by {:.0f} %: {} too often", 100.0 * (raised - 1.0),
        embedding_.copies > 1 ? "chains broke" : "constraints were violated"));
  }
  result.answer_feasible_rate = rounds > 0.0 ? feasible_rounds / rounds : 0.0;
  result.acceptance_beta = acceptance_beta(swaps, ladder_.columns());
  if (options_.method == Method::two_dimensional) {
    result.acceptance_penalty = acceptance_penalty(swaps, ladder_.columns());
  }
  result.round_trips = swaps.round_trips;
  result.rejections = sum_of_rejections(result.acceptance_beta);
  result.trace = std::move(records.front().trace);
  result.walks = std::move(records.front().walks);

  std::stable_sort(result.pool.begin(), result.pool.end(),
                   [](const TrialResult& a, const TrialResult& b) { return a.energy < b.energy; });
  set_best(result, problem_,
           *std::min_element(result.per_trial.begin(), result.per_trial.end(), better));
  for (const std::string& note : device_.notes()) result.ladder.notes.push_back(note);
  return result;
}

}  // namespace

Result solve(const Problem& problem, const Embedding& embedding, const Ladder& ladder,
             Device& device, const SolveOptions& options, const std::atomic<bool>& stop,
             const SolveObserver& observer) {
  if (options.sweeps == 0 || options.sweeps_per_swap == 0 || options.trials == 0) {
    throw UsageError("sweeps, sweeps-per-swap and trials must be at least 1");
  }
  return Run(problem, embedding, ladder, device, options, stop, observer).run();
}

std::vector<TrialResult> best_at(const std::vector<std::uint64_t>& times, const Problem& problem,
                                 const Embedding& embedding, const Ladder& ladder, Device& device,
                                 SolveOptions options) {
  const bool whole = std::all_of(times.begin(), times.end(), [&](std::uint64_t time) {
    return time > 0 && time % options.sweeps_per_swap == 0;
  });
  if (times.empty() || !whole || !std::is_sorted(times.begin(), times.end())) {
    throw UsageError("times must be ascending multiples of sweeps-per-swap");
  }
  options.sweeps = times.back();
  load_grids(device, embedding, ladder, 1, options.seed, 0,
             options.hold_feasible ? FeasibilityWatch::kMost : 1.0, options.moves,
             options.search.skip_below);
  Trial trial(problem, embedding, ladder, options, 0, 0, device);
  trial.write_initial_states();
  std::vector<TrialResult> best;
  for (std::uint64_t time : times) {
    while (trial.sweeps_done() < time) {
      trial.start_burst();
      trial.finish_burst();
    }
    trial.settle();
    best.push_back(trial.record().best.best);
  }
  return best;
}

}  // namespace chainmail
