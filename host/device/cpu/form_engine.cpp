#include "device/cpu/form_engine.hpp"

#include <algorithm>

namespace chainmail {
namespace {

constexpr std::size_t kPartsPerThread = 4;

}  // namespace

FormEngine::FormEngine(const FormPlan& plan, std::size_t replicas, std::uint64_t seed, Crew& crew,
                       FormShare share)
    : plan_(&plan), crew_(&crew), share_(share), bursts_(replicas) {
  replicas_.reserve(replicas);
  for (std::size_t k = 0; k < replicas; ++k) {
    replicas_.emplace_back(plan, hash_of(seed, {share.first + k * share.stride}));
  }
}

void FormEngine::set(std::size_t k, std::span<const Bit> bits) {
  replicas_[k].set(bits);
  replicas_[k].watch_below(best_.feasible ? best_.f : std::numeric_limits<double>::infinity());
}

void FormEngine::restore(std::size_t k, const FormSnapshot& then) {
  replicas_[k].restore(then);
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
  if (std::min<std::size_t>(crew_->threads(), size()) < 2) {
    for (std::size_t k = 0; k < size(); ++k) run(k, parameters[k], sweeps, moves);
  } else {
    // Replicas that lie side by side go to one thread: their memory shares cache lines. Several
    // parts a thread, for hot and cold ones take different times.
    const std::size_t parts = std::min<std::size_t>(kPartsPerThread * crew_->threads(), size());
    CrewJob job;
    job.strands = parts;
    job.steps = 1;
    job.run = [&](std::size_t part, std::size_t) {
      const std::size_t end = (part + 1) * size() / parts;
      for (std::size_t k = part * size() / parts; k < end; ++k) {
        run(k, parameters[k], sweeps, moves);
      }
    };
    crew_->start(job);
    crew_->finish(job);
  }
  take_best();
}

void FormEngine::take_best() {
  const auto from = [&](std::size_t k) { best_from_ = share_.first + k * share_.stride; };
  for (std::size_t k = 0; k < size(); ++k) {
    FormReplica& replica = replicas_[k];
    if (replica.found() && (!best_.feasible || replica.best_f() < best_.f)) {
      const std::span<const Bit> bits = replica.best_bits();
      best_ = {{bits.begin(), bits.end()}, replica.best_f(), 0.0, true};
      from(k);
    }
  }
  for (std::size_t k = 0; k < size() && !best_.feasible; ++k) {
    const FormReplica& replica = replicas_[k];
    if (replica.g() < best_.g) {
      best_ = {{replica.bits().begin(), replica.bits().end()}, replica.f(), replica.g(), false};
      from(k);
    }
  }
  watch_best();
}

void FormEngine::watch_best() {
  const double above = best_.feasible ? best_.f : std::numeric_limits<double>::infinity();
  for (FormReplica& replica : replicas_) replica.watch_below(above);
}

void FormEngine::aim_below(const FormState& known) {
  best_ = known;
  watch_best();
}

std::vector<std::size_t> FormEngine::violated(std::span<const std::size_t> replicas) const {
  const std::vector<FormLimits>& limits = plan_->model().limits;
  std::vector<std::size_t> count(limits.size(), 0);
  for (std::size_t k : replicas) {
    const auto sums = replicas_.at(k).sums();
    for (std::size_t form = 0; form < sums.size(); ++form) {
      count[form] += limits[form].violation(sums[form]) > 0 ? 1 : 0;
    }
  }
  return count;
}

}  // namespace chainmail
