#include "grid/population.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "problem/problem.hpp"
#include "support/random.hpp"

namespace chainmail {

void ChainMoments::add(std::size_t chain, double value) {
  const double old = mean_[chain];
  mean_[chain] += (value - old) / static_cast<double>(++count_[chain]);
  squares_[chain] += (value - old) * (value - mean_[chain]);
}

double ChainMoments::mean() const {
  return std::accumulate(mean_.begin(), mean_.end(), 0.0) / static_cast<double>(mean_.size());
}

double ChainMoments::variance() const {
  double sum = 0.0;
  for (std::size_t c = 0; c < count_.size(); ++c) {
    sum += squares_[c] / static_cast<double>(std::max<std::size_t>(1, count_[c] - 1));
  }
  return sum / static_cast<double>(count_.size());
}

double ChainMoments::mean_sigma() const {
  double sum = 0.0;
  for (std::size_t c = 0; c < count_.size(); ++c) {
    sum += std::sqrt(squares_[c] / static_cast<double>(std::max<std::size_t>(1, count_[c])));
  }
  return sum / static_cast<double>(count_.size());
}

void Population::load(const PhysicalModel& model, double beta_min, double beta_max,
                      double penalty_max) {
  if (loaded_) states_ = read_states();
  pbits_ = model.f.size();
  device_.load(model, {.grids = 1,
                       .replicas = chains_,
                       .seed = seed_,
                       .beta_min = beta_min,
                       .beta_max = beta_max,
                       .penalty_max = penalty_max});
  for (std::size_t c = 0; c < states_.size(); ++c) device_.write_spins(0, c, states_[c]);
  loaded_ = true;
}

void Population::randomise(std::size_t pbits,
                           const std::function<std::uint64_t(std::size_t)>& seed_of) {
  states_.assign(chains_, std::vector<Spin>(pbits));
  for (std::size_t c = 0; c < chains_; ++c) {
    Engine engine(seed_of(c));
    for (Spin& spin : states_[c]) spin = engine() >> 63 ? 1 : -1;
    if (loaded_) device_.write_spins(0, c, states_[c]);
  }
}

Measurement Population::measure(double beta, double penalty, std::uint64_t warmup,
                                std::uint64_t samples, std::span<const Residual> residuals) {
  const std::vector<Parameters> all(chains_, device_.quantise({beta, beta * penalty}));
  run(all, warmup);
  const ChainMoments none(chains_);
  Measurement m{none, none, none, std::vector<ChainMoments>(residuals.size(), none)};
  std::size_t feasible = 0;
  for (std::uint64_t s = 0; s < samples; ++s) {
    const BurstResult& burst = run(all, 1);
    if (s + 1 == samples) watch_.show(burst, device_);
    for (std::size_t c = 0; c < chains_; ++c) {
      m.f.add(c, burst.f[c]);
      m.g.add(c, burst.g[c]);
      m.energy.add(c, burst.f[c] + penalty * burst.g[c]);
      if (burst.g[c] <= kFeasible) ++feasible;
      if (residuals.empty()) continue;
      const std::vector<Spin> spins = device_.read_spins(0, c);
      for (std::size_t r = 0; r < residuals.size(); ++r) m.residuals[r].add(c, residuals[r](spins));
    }
  }
  m.feasible_rate = static_cast<double>(feasible) / static_cast<double>(samples * chains_);
  return m;
}

namespace {

double overlap(const std::vector<std::vector<Spin>>& a, const std::vector<std::vector<Spin>>& b) {
  double sum = 0.0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    for (std::size_t i = 0; i < a[c].size(); ++i) sum += a[c][i] * b[c][i];
  }
  return sum / static_cast<double>(a.size() * a.front().size());
}

// Mean over all pairs of chains, from the sum over chains of each spin.
double overlap_between(const std::vector<std::vector<Spin>>& states) {
  const std::size_t chains = states.size(), spins = states.front().size();
  if (chains < 2) return 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < spins; ++i) {
    double up = 0.0;
    for (const std::vector<Spin>& state : states) up += state[i];
    sum += up * up - static_cast<double>(chains);
  }
  return sum / static_cast<double>(spins * chains * (chains - 1));
}

}  // namespace

double Population::memory(double beta, double penalty, std::uint64_t lag, std::size_t looks) {
  const std::vector<Parameters> all(chains_, device_.quantise({beta, beta * penalty}));
  double sum = 0.0;
  std::vector<std::vector<Spin>> before = read_states();
  for (std::size_t look = 0; look < looks; ++look) {
    run(all, lag);
    std::vector<std::vector<Spin>> now = read_states();
    sum += overlap(before, now) - overlap_between(now);
    before = std::move(now);
  }
  return sum / static_cast<double>(looks);
}

std::vector<std::vector<Spin>> Population::read_states() const {
  std::vector<std::vector<Spin>> states;
  for (std::size_t c = 0; c < chains_; ++c) states.push_back(device_.read_spins(0, c));
  return states;
}

const BurstResult& Population::run(const std::vector<Parameters>& parameters,
                                   std::uint64_t sweeps) {
  replica_sweeps_ += sweeps * chains_;
  for (;;) {
    const std::uint64_t piece = std::min(sweeps, most_sweeps(pbits_, chains_));
    device_.submit(0, parameters, piece, burst_number_++);
    const BurstResult& burst = device_.wait(0);
    sweeps -= piece;
    if (watch_.keep_going && !watch_.keep_going()) {
      watch_.show(burst, device_);
      throw TuningStopped();
    }
    if (sweeps == 0) return burst;
  }
}

}  // namespace chainmail
