#include "reproduce/adder_chains.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grid/initial_states.hpp"
#include "grid/replica_grid.hpp"
#include "support/random.hpp"

namespace chainmail::reproduce {

namespace {

std::size_t index_of(std::span<const Spin> logical) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < logical.size(); ++i) {
    if (logical[i] > 0) index |= std::size_t{1} << i;
  }
  return index;
}

}  // namespace

std::vector<double> boltzmann(const Quadratic& f, double beta) {
  std::vector<double> weight(std::size_t{1} << f.size());
  std::vector<Spin> spins(f.size());
  for (std::size_t state = 0; state < weight.size(); ++state) {
    for (std::size_t i = 0; i < spins.size(); ++i) {
      spins[i] = (state >> i & 1U) != 0 ? Spin{1} : Spin{-1};
    }
    weight[state] = -beta * f(spins);
  }
  const double top = *std::max_element(weight.begin(), weight.end());
  double sum = 0.0;
  for (double& w : weight) sum += w = std::exp(w - top);
  for (double& w : weight) w /= sum;
  return weight;
}

double kl_divergence(std::span<const std::uint64_t> histogram, std::span<const double> exact) {
  const auto total =
      static_cast<double>(std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0}));
  double sum = 0.0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    if (histogram[i] == 0) continue;
    const double share = static_cast<double>(histogram[i]) / total;
    sum += share * std::log(share / exact[i]);
  }
  return sum;
}

// All chains are side by side on the device, to use all its replicas: chain c's replicas are c *
// columns onwards. Each chain has a grid, and so a swap stream, of its own.
AdderCurves run_adder_chains(const Problem& problem, const Embedding& embedding, Device& device,
                             const AdderOptions& options, const std::atomic<bool>& stop) {
  const std::size_t columns = options.penalties.size(), replicas = columns * options.chains;
  Ladder ladder;
  ladder.beta = {1.0};
  ladder.penalty = options.penalties;
  device.load(embedding.model, {.grids = 1,
                                .replicas = replicas,
                                .seed = options.seed,
                                .beta_min = 1.0,
                                .beta_max = 1.0,
                                .penalty_max = options.penalties.back()});
  const std::vector<Parameters> cells = cell_parameters(ladder, device);
  std::vector<ReplicaGrid> grids;
  grids.reserve(options.chains);
  for (std::size_t chain = 0; chain < options.chains; ++chain) {
    grids.emplace_back(1, columns, cells, SwapSets::toggle, true, swap_seed(options.seed, chain));
  }
  write_random_states(device, embedding, 0, replicas, options.seed, 0);

  const std::vector<double> exact = boltzmann(problem.objective, 1.0);
  std::vector<std::vector<std::uint64_t>> seen(replicas, std::vector<std::uint64_t>(exact.size()));
  AdderCurves curves(options.chains, std::vector<std::vector<double>>(columns));
  std::vector<Parameters> parameters(replicas);
  auto next = options.times.begin();
  for (std::uint64_t round = 1; next != options.times.end() && !stop; ++round) {
    for (std::size_t chain = 0; chain < options.chains; ++chain) {
      const std::vector<Parameters> own = grids[chain].parameters();
      std::copy(own.begin(), own.end(),
                parameters.begin() + static_cast<std::ptrdiff_t>(chain * columns));
    }
    device.submit(0, parameters, options.sweeps_per_swap, round - 1);
    const BurstResult& burst = device.wait(0);
    const bool due = round * options.sweeps_per_swap >= *next;
    for (std::size_t chain = 0; chain < options.chains; ++chain) {
      const std::size_t first = chain * columns;
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t replica = first + grids[chain].replica_at(0, column);
        const std::vector<Spin> spins = device.read_spins(0, replica);
        std::vector<std::uint64_t>& histogram = seen[first + column];
        ++histogram[index_of({spins.data(), problem.size()})];
        if (due) curves[chain][column].push_back(kl_divergence(histogram, exact));
      }
      if (!options.swaps) continue;
      grids[chain].swap_round(round, {&burst.f[first], columns}, {&burst.g[first], columns});
    }
    if (due) ++next;
  }
  return curves;
}

}  // namespace chainmail::reproduce
