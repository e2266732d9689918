#include "solve/trial.hpp"

#include <algorithm>

#include "ladder/initial_states.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kWalks = 6;         // replicas whose way over the grid is drawn
constexpr std::size_t kDenseTrace = 256;  // rounds recorded one by one before thinning
constexpr double kTraceGrowth = 1.02;     // then a point every 2 %

}  // namespace

Trial::Trial(const Problem& problem, const Embedding& embedding, const Ladder& ladder,
             const SolveOptions& options, std::size_t number, std::size_t device_grid,
             Device& device)
    : embedding_(&embedding),
      ladder_(&ladder),
      options_(&options),
      number_(number),
      device_grid_(device_grid),
      device_(&device),
      grid_(ladder.rows(), ladder.columns(), cell_parameters(ladder, device), options.swap_sets,
            options.method == Method::two_dimensional, swap_seed(options.seed, number)),
      best_(problem, embedding, options.keep),
      walks_(std::min(kWalks, grid_.replicas())) {}

void Trial::write_initial_states() {
  if (options_->initial.empty()) {
    write_random_states(*device_, *embedding_, device_grid_, grid_.replicas(), options_->seed,
                        number_);
    return;
  }
  const std::vector<Spin> spins = spread(*embedding_, options_->initial);
  for (std::size_t replica = 0; replica < grid_.replicas(); ++replica) {
    device_->write_spins(device_grid_, replica, spins);
  }
}

std::uint64_t Trial::next_burst_sweeps() const {
  return std::min(options_->sweeps_per_swap, options_->sweeps - sweeps_);
}

void Trial::start_burst() {
  device_->submit(device_grid_, grid_.parameters(), next_burst_sweeps(), rounds_);
}

void Trial::finish_burst() {
  const BurstResult& burst = device_->wait(device_grid_);
  sweeps_ += next_burst_sweeps();
  ++rounds_;
  best_.offer(burst, *device_, device_grid_, sweeps_);
  const std::size_t answer = grid_.answer_replica();
  take_notes(burst, answer);
  const bool raise = options_->hold_feasible && watch_.raise(sweeps_, burst.g[answer] <= kFeasible);
  if (raise) set_answer_penalty();
  grid_.swap_round(rounds_, burst.f, burst.g);
}

void Trial::set_answer_penalty() {
  Ladder raised = *ladder_;
  raised.penalty.back() *= watch_.factor();
  grid_.set_parameters(cell_parameters(raised, *device_));
}

void Trial::take_notes(const BurstResult& burst, std::size_t answer) {
  answer_energy_ = burst.f[answer];
  if (best_.is_feasible(burst, *device_, device_grid_, answer)) ++answer_feasible_;
  const bool due =
      trace_.size() < kDenseTrace || done() || at_target() ||
      static_cast<double>(sweeps_) >= kTraceGrowth * static_cast<double>(trace_.back().sweep);
  if (!due) return;
  trace_.push_back({sweeps_, burst.f[answer], burst.g[answer], best_.feasible_energy()});
  for (std::size_t w = 0; w < walks_.size(); ++w) walks_[w].push_back(grid_.cells()[w]);
}

bool Trial::at_target() const {
  return reached(best_.feasible_energy(), options_->target);
}

TrialRecord Trial::record() const {
  return {rounds_,       sweeps_, answer_feasible_, answer_energy_, best_.state(),
          grid_.state(), trace_,  walks_,           watch_.state()};
}

std::vector<std::vector<Spin>> Trial::spins() const {
  std::vector<std::vector<Spin>> all;
  all.reserve(grid_.replicas());
  for (std::size_t replica = 0; replica < grid_.replicas(); ++replica) {
    all.push_back(device_->read_spins(device_grid_, replica));
  }
  return all;
}

void Trial::restore(const TrialRecord& record, const std::vector<std::vector<Spin>>& spins) {
  rounds_ = record.rounds;
  sweeps_ = record.sweeps;
  answer_feasible_ = record.answer_feasible;
  answer_energy_ = record.answer_energy;
  best_.restore(record.best);
  grid_.restore(record.grid);
  trace_ = record.trace;
  walks_ = record.walks;
  watch_.restore(record.watch);
  if (watch_.factor() > 1.0) set_answer_penalty();
  for (std::size_t replica = 0; replica < grid_.replicas(); ++replica) {
    device_->write_spins(device_grid_, replica, spins[replica]);
  }
}

}  // namespace chainmail
