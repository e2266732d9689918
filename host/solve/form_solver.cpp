#include "solve/form_solver.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "problem/bits.hpp"
#include "solve/form_checkpoint.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kLeastSweeps = 500;
// A run of default length ends early when nothing better came up in nine tenths of it, and visits
// no more states than so many times all there are.
constexpr double kLeastShare = 0.125, kPatience = 10.0, kVisits = 64.0;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t peak_memory_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

TrialResult trial_result(const FormState& state, std::uint64_t sweep) {
  TrialResult result;
  result.solution = spins_of(state.bits);
  result.energy = state.f;
  result.g = state.feasible ? 0.0 : state.g;
  result.feasible = state.feasible;
  result.found_at_sweep = sweep;
  return result;
}

class FormRun {
 public:
  FormRun(const FormModel& model, const FormSolveOptions& options, const std::atomic<bool>& stop,
          const SolveObserver& observer)
      : model_(model),
        options_(options),
        stop_(stop),
        observer_(observer),
        members_(members_of(options)),
        fingerprint_(form_fingerprint(model, options.search, options.sweeps.value_or(0),
                                      options.trials, options.first_trial)) {
    for (double value : model.linear) span_ += std::abs(value);
    for (const Neighbour& n : model.pairs.items) span_ += 0.5 * std::abs(n.value);
  }

  Result run() {
    if (!options_.checkpoint.empty()) {
      if (auto found = read_form_checkpoint(options_.checkpoint, fingerprint_, model_)) {
        saved_ = std::move(*found);
      }
    }
    std::string stopped_by;
    while (saved_.finished.size() < options_.trials && stopped_by.empty()) {
      stopped_by = run_trial(saved_.finished.size());
    }
    return make_result(stopped_by.empty() ? "sweeps" : stopped_by);
  }

 private:
  // Returns why the whole run ends here, or nothing.
  std::string run_trial(std::size_t trial) {
    FormSearchOptions options = options_.search;
    options.seed = hash_of(options.seed, {options_.first_trial + trial});
    search_.emplace(model_, options, members_);
    if (saved_.running) {
      search_->restore(*saved_.running, saved_.replicas);
      saved_.running.reset();
      saved_.replicas.clear();
    } else {
      search_->start([&](const FormState& best) {
        report(best, 0.0);
        return stop_reason(best).empty();
      });
    }
    std::string why;
    while (search_->started() && !options_.impossible) {
      why = stop_reason(search_->record().best);
      if (!why.empty() || grid_sweeps() >= wanted_sweeps()) break;
      search_->round();
      report(search_->record().best,
             static_cast<double>(grid_sweeps()) / static_cast<double>(wanted_sweeps()));
      const bool due = !options_.checkpoint.empty() &&
                       seconds_since(last_checkpoint_) >= options_.checkpoint_seconds;
      if (due) save();
    }
    if (why.empty()) why = stop_reason(search_->record().best);
    if (why.empty() && options_.impossible) why = "proof that no solution exists";
    const bool unfinished = why == "interrupt" || why == "time limit";
    if (unfinished && !options_.checkpoint.empty() && search_->started()) save();
    saved_.finished.push_back(search_->full_record());
    if (!unfinished && !options_.checkpoint.empty()) {
      search_.reset();
      save();
    }
    search_.reset();
    return why;
  }

  std::uint64_t grid_sweeps() const {
    return search_->record().rounds * options_.search.sweeps_per_swap;
  }
  std::uint64_t wanted_sweeps() const {
    if (options_.sweeps) return *options_.sweeps;
    const FormRecord& now = search_->record();
    const auto replicas = static_cast<double>(search_->replicas());
    double most = kFormUpdates / std::max(1.0, static_cast<double>(model_.bits) * replicas);
    if (model_.bits < 40) most = std::min(most, kVisits * std::exp2(model_.bits) / replicas);
    if (now.best.feasible && !near_bound(now.best.f)) {
      most = std::min(
          most, std::max(most * kLeastShare, kPatience * static_cast<double>(now.best_sweep)));
    }
    return static_cast<std::uint64_t>(std::max(kLeastSweeps, most));
  }

  // Within one per cent of what f can span: little is left to gain, and it may well be there.
  bool near_bound(double f) const { return options_.bound && f - *options_.bound < 0.01 * span_; }

  std::string stop_reason(const FormState& best) const {
    if (stop_) return "interrupt";
    const std::optional<double> f = best.feasible ? std::optional(best.f) : std::nullopt;
    if (reached(f, options_.target)) return "target";
    if (options_.search.keep == 1 && reached(f, options_.bound)) return "bound";
    if (options_.time_limit > 0 && seconds() >= options_.time_limit) return "time limit";
    return {};
  }

  void save() {
    FormCheckpoint checkpoint{saved_.finished, {}, {}, seconds()};
    if (search_ && search_->started()) {
      checkpoint.running = search_->full_record();
      checkpoint.replicas = search_->snapshots();
    }
    write_form_checkpoint(options_.checkpoint, fingerprint_, checkpoint);
    last_checkpoint_ = Clock::now();
  }

  double seconds() const { return saved_.seconds + seconds_since(start_); }

  void report(const FormState& best, double fraction) const {
    if (!observer_) return;
    const auto done = static_cast<double>(saved_.finished.size());
    const FormRecord& now = search_->record();
    SolveStatus status;
    status.fraction = (done + fraction) / static_cast<double>(options_.trials);
    status.sweeps_done = now.sweeps;
    if (best.feasible) status.best = best.f;
    status.updates = updates() + now.replica_sweeps * model_.bits;
    status.seconds = seconds();
    observer_(status);
  }

  std::uint64_t updates() const {
    std::uint64_t sum = 0;
    for (const FormRecord& record : saved_.finished) sum += record.replica_sweeps * model_.bits;
    return sum;
  }

  Result make_result(const std::string& stopped_by);

  const FormModel& model_;
  const FormSolveOptions& options_;
  const std::atomic<bool>& stop_;
  const SolveObserver& observer_;
  FormMembers members_;
  std::uint64_t fingerprint_;
  double span_ = 0.0;  // of f, at most
  FormCheckpoint saved_;
  std::optional<FormSearch> search_;
  Clock::time_point start_ = Clock::now(), last_checkpoint_ = start_;
};

Result FormRun::make_result(const std::string& stopped_by) {
  const std::vector<FormRecord>& records = saved_.finished;
  const auto best =
      std::min_element(records.begin(), records.end(),
                       [](const auto& a, const auto& b) { return a.best.better_than(b.best); });
  Result result;
  result.spins = result.pbits = model_.bits;
  result.method = name_of(Method::two_dimensional);
  const Device* device = options_.search.device;
  result.device = device != nullptr ? device->describe()
                                    : fmt::format("cpu, forms, {} thread{}", members_.threads(),
                                                  members_.threads() == 1 ? "" : "s");
  result.placement = "packed";
  result.moves = "forms";
  result.swap_sets = name_of(options_.search.swap_sets);
  result.seed = options_.search.seed;
  result.sweeps_per_swap = options_.search.sweeps_per_swap;
  result.trials = records.size();
  result.first_trial = options_.first_trial;
  result.members = members_.use();
  result.stopped_by = stopped_by;
  result.ladder = best->ladder;
  for (double& penalty : result.ladder.penalty) penalty *= best->scale;
  if (device != nullptr) {
    for (const std::string& note : device->notes()) result.ladder.notes.push_back(note);
  }
  result.updates = updates();
  result.seconds = seconds();
  result.updates_per_ns = static_cast<double>(result.updates) / (1e9 * result.seconds);
  result.peak_memory_kib = peak_memory_kib();
  const std::size_t replicas = result.ladder.rows() * result.ladder.columns();
  result.pilot_sweeps = (result.ladder.replica_sweeps + replicas - 1) / replicas;

  double rounds = 0.0, feasible_rounds = 0.0;
  SwapStatistics swaps(replicas);
  for (const FormRecord& record : records) {
    result.sweeps = std::max(result.sweeps, record.sweeps);
    result.per_trial.push_back(trial_result(record.best, record.best_sweep));
    for (const FormState& state : record.pool) {
      result.pool.push_back(trial_result(state, record.best_sweep));
    }
    result.mean_answer_energy += record.answer_energy / static_cast<double>(records.size());
    rounds += static_cast<double>(record.rounds);
    feasible_rounds += static_cast<double>(record.answer_feasible);
    result.round_trips += record.grid.statistics.round_trips;
  }
  // Trials have ladders of their own; acceptance is shown for the one shown.
  if (best->grid.statistics.attempts_beta.size() == replicas) swaps += best->grid.statistics;
  result.answer_feasible_rate = rounds > 0.0 ? feasible_rounds / rounds : 0.0;
  result.acceptance_beta = acceptance_beta(swaps, result.ladder.columns());
  result.acceptance_penalty = acceptance_penalty(swaps, result.ladder.columns());
  result.trace = records.front().trace;
  result.walks = records.front().walks;
  result.best = trial_result(best->best, best->best_sweep);
  for (const std::string& loss : members_.losses()) result.ladder.notes.push_back(loss);
  if (stopped_by == "bound") result.known_optimum = result.best.energy;
  std::stable_sort(result.pool.begin(), result.pool.end(),
                   [](const TrialResult& a, const TrialResult& b) { return a.energy < b.energy; });
  return result;
}

}  // namespace

Result solve_forms(const FormModel& model, const FormSolveOptions& options,
                   const std::atomic<bool>& stop, const SolveObserver& observer) {
  if (options.search.sweeps_per_swap == 0 || options.trials == 0) {
    throw UsageError("sweeps-per-swap and trials must be at least 1");
  }
  return FormRun(model, options, stop, observer).run();
}

}  // namespace chainmail
