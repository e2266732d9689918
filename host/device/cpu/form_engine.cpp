#include "device/cpu/form_engine.hpp"

#include <algorithm>

namespace chainmail {

FormEngine::FormEngine(const FormPlan& plan, std::size_t replicas, std::uint64_t seed, Crew& crew)
    : plan_(&plan), crew_(&crew), bursts_(replicas) {
  replicas_.reserve(replicas);
  for (std::size_t k = 0; k < replicas; ++k) replicas_.emplace_back(plan, hash_of(seed, {k}));
}

void FormEngine::set(std::size_t k, std::span<const Bit> bits) {
  replicas_[k].set(bits);
  replicas_[k].watch_below(best_.feasible ? best_.f : std::numeric_limits<double>::infinity());
}

void FormEngine::run(std::size_t k, const Parameters& parameters, std::uint64_t sweeps,
                     const FormMoves& moves) {
  FormReplica& replica = replicas_[k];
  const double penalty = parameters.beta > 0.0 ? parameters.beta_penalty / parameters.beta : 0.0;
  replica.set_parameters(parameters.beta, penalty);
  replica.reset_counts();
  double mean = 0.0, squares = 0.0;
  for (std::uint64_t sweep = 1; sweep <= sweeps; ++sweep) {
    replica.sweep(moves);
    const double step = replica.energy() - mean;
    mean += step / static_cast<double>(sweep);
    squares += step * (replica.energy() - mean);
  }
  replica.settle();
  bursts_[k] = {mean, sweeps > 1 ? squares / static_cast<double>(sweeps - 1) : 0.0,
                replica.proposals(), replica.accepted(), replica.raised()};
}

void FormEngine::burst(std::span<const Parameters> parameters, std::uint64_t sweeps,
                       const FormMoves& moves) {
  const std::size_t blocks = std::min<std::size_t>(crew_->threads(), size());
  if (blocks < 2) {
    for (std::size_t k = 0; k < size(); ++k) run(k, parameters[k], sweeps, moves);
  } else {
    CrewJob job;
    job.strands = blocks;
    job.steps = 1;
    // Neighbours in beta cost alike, so every block gets some of each.
    job.run = [&](std::size_t block, std::size_t) {
      for (std::size_t k = block; k < size(); k += blocks) run(k, parameters[k], sweeps, moves);
    };
    crew_->start(job);
    crew_->finish(job);
  }
  take_best();
}

void FormEngine::take_best() {
  for (FormReplica& replica : replicas_) {
    if (replica.found() && (!best_.feasible || replica.best_f() < best_.f)) {
      const std::span<const Bit> bits = replica.best_bits();
      best_ = {{bits.begin(), bits.end()}, replica.best_f(), 0.0, true};
    }
  }
  if (!best_.feasible) {
    for (const FormReplica& replica : replicas_) {
      if (replica.g() < best_.g) {
        best_ = {{replica.bits().begin(), replica.bits().end()}, replica.f(), replica.g(), false};
      }
    }
  }
  const double above = best_.feasible ? best_.f : std::numeric_limits<double>::infinity();
  for (FormReplica& replica : replicas_) replica.watch_below(above);
}

bool FormEngine::offer(const FormState& state) {
  if (!state.better_than(best_)) return false;
  best_ = state;
  take_best();
  return true;
}

}  // namespace chainmail
