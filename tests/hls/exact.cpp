#include "exact.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "../random_problem.hpp"
#include "device/kernel/kernel_device.hpp"
#include "topology/threshold.hpp"
#include "topology/topology.hpp"

namespace exact {

using namespace chainmail;

Averages boltzmann(const PhysicalModel& model, const Parameters& parameters) {
  const std::size_t pbits = model.f.size();
  std::vector<double> f(std::size_t{1} << pbits), g(f.size());
  Averages result;
  result.probability.resize(f.size());
  std::vector<Spin> spins(pbits);
  double sum = 0.0;
  for (std::size_t s = 0; s < f.size(); ++s) {
    for (std::size_t p = 0; p < pbits; ++p) spins[p] = (s >> p & 1) != 0 ? 1 : -1;
    f[s] = model.f(spins);
    g[s] = model.g(spins);
    result.probability[s] = std::exp(-parameters.beta * f[s] - parameters.beta_penalty * g[s]);
    sum += result.probability[s];
  }
  double ff = 0.0, gg = 0.0;
  for (std::size_t s = 0; s < f.size(); ++s) {
    const double p = result.probability[s] /= sum;
    result.f += p * f[s];
    result.g += p * g[s];
    ff += p * f[s] * f[s];
    gg += p * g[s] * g[s];
  }
  result.f_sigma = std::sqrt(std::max(0.0, ff - result.f * result.f));
  result.g_sigma = std::sqrt(std::max(0.0, gg - result.g * result.g));
  return result;
}

double activation(double octaves) {
  using namespace threshold;
  const double y = 256.0 * octaves;
  double up = 0.0;
  for (unsigned octave = 0; octave <= kOctaveBits; ++octave) {
    const double weight =
        std::ldexp(1.0, -static_cast<int>(std::min(octave + 1, kOctaveBits))) / 128;
    for (unsigned rest = 0; rest < 128; ++rest) {
      const unsigned mantissa = rest >> kDitherBits;
      const unsigned row = 4 * (octave == 0 ? 1 : 0) + mantissa / 4;
      const double t = 256.0 * octave + kBase[row_of(octave)][mantissa] + kDither[row][rest & 7];
      up += 0.5 * weight * ((y + t >= 0.0 ? 1 : 0) + (y - t > 0.0 ? 1 : 0));
    }
  }
  return up;
}

std::vector<double> sampled_by_kernel(const PhysicalModel& model, double beta) {
  const std::size_t pbits = model.f.size(), states = std::size_t{1} << pbits;
  std::vector<std::size_t> order(pbits);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return model.colour[a] < model.colour[b]; });
  // P(up) of each p-bit next to each state of the others.
  const auto neighbours = adjacency(model.f);
  std::vector<std::vector<double>> up(pbits, std::vector<double>(states));
  std::map<double, double> known;
  for (std::size_t p = 0; p < pbits; ++p) {
    for (std::size_t s = 0; s < states; ++s) {
      double field = model.f.fields[p];
      for (const Neighbour& n : neighbours[p]) field += (s >> n.spin & 1) != 0 ? n.value : -n.value;
      const auto [place, fresh] = known.emplace(field, 0.0);
      if (fresh) place->second = activation(2.0 * beta * field / std::numbers::ln2);
      up[p][s] = place->second;
    }
  }
  std::vector<double> now(states, 1.0 / static_cast<double>(states)), before;
  do {
    before = now;
    for (const std::size_t p : order) {
      const std::size_t bit = std::size_t{1} << p;
      for (std::size_t s = 0; s < states; ++s) {
        if ((s & bit) != 0) continue;
        const double both = now[s] + now[s | bit];
        now[s | bit] = both * up[p][s];
        now[s] = both - now[s | bit];
      }
    }
  } while (total_variation(now, before) > 1e-12);
  return now;
}

double total_variation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t s = 0; s < a.size(); ++s) sum += 0.5 * std::abs(a[s] - b[s]);
  return sum;
}

std::size_t state_number(const std::vector<Spin>& spins) {
  std::size_t state = 0;
  for (std::size_t p = 0; p < spins.size(); ++p) {
    if (spins[p] > 0) state |= std::size_t{1} << p;
  }
  return state;
}

Distance compare(const std::vector<double>& probability, const std::vector<std::size_t>& counts) {
  const auto n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  Distance d{0.0, std::sqrt(std::log(1.0 / 6e-7) / (2.0 * n))};
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const double p = probability[s];
    d.total_variation += 0.5 * std::abs(static_cast<double>(counts[s]) / n - p);
    d.limit += 0.5 * std::sqrt(p * (1.0 - p) / n);
  }
  return d;
}

void check_kernel(const std::string& name, std::size_t replicas) {
  const auto device = make_hls_device("hls:" + name);
  const PhysicalModel model = embed(test::random_problem(7, 5, 0.125), *device->topology()).model;
  device->load(model, {.grids = 1, .replicas = replicas, .seed = 3, .beta_max = 2.0});
  // Three betas side by side, and every replica of one of them.
  const double betas[] = {0.2, 0.6, 1.2};
  std::vector<Parameters> parameters;
  for (std::size_t r = 0; r < replicas; ++r) {
    parameters.push_back(device->quantise({betas[r % 3], 0.0}));
  }
  std::vector<std::vector<std::size_t>> counts(3, std::vector<std::size_t>(128, 0));
  device->submit(0, parameters, 200, 0);
  device->wait(0);
  for (std::uint64_t burst = 1; burst <= 60'000 / replicas; ++burst) {
    device->submit(0, parameters, 12, burst);
    const BurstResult& out = device->wait(0);
    for (std::size_t r = 0; r < replicas; ++r) {
      const std::vector<Spin> spins = device->read_spins(0, r);
      REQUIRE(out.f[r] == Approx(model.f(spins)).margin(1e-9));
      REQUIRE(out.best_f[r] <= out.f[r]);
      ++counts[r % 3][state_number(spins)];
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const Averages truth = boltzmann(model, parameters[k]);
    const Distance distance = compare(truth.probability, counts[k]);
    INFO(name << ", beta " << betas[k] << ": TV " << distance.total_variation << " of "
              << distance.limit);
    CHECK(distance.total_variation < distance.limit);
  }
}

}  // namespace exact
