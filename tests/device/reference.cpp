#include "reference.hpp"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "support/random.hpp"

namespace chainmail::test {

PhysicalModel random_model(std::size_t pbits, double density, int levels, bool with_fields,
                           bool with_g, std::uint64_t seed) {
  Engine engine(seed);
  boost::random::normal_distribution<double> normal(0.0, 1.0);
  boost::random::uniform_01<double> uniform;
  boost::random::uniform_int_distribution<int> integer(-std::max(levels, 1), std::max(levels, 1));
  const auto draw = [&] {
    return levels > 0 ? static_cast<double>(integer(engine)) : normal(engine);
  };
  PhysicalModel model;
  model.f = Quadratic(pbits);
  model.g = Quadratic(pbits);
  for (std::uint32_t i = 0; i < pbits; ++i) {
    if (with_fields) model.f.fields[i] = draw();
    for (std::uint32_t j = i + 1; j < pbits; ++j) {
      if (uniform(engine) < density) model.f.couplings.push_back({i, j, draw()});
    }
    const std::uint32_t next = i + 1 + static_cast<std::uint32_t>(engine() % 3);
    if (with_g && next < pbits) {
      model.g.couplings.push_back({i, next, 1.0});
      model.g.offset += 1.0;
    }
  }
  model.f.offset = 0.25;
  model.f.normalise();
  model.g.normalise();
  model.colour.resize(pbits);
  for (std::uint32_t i = 0; i < pbits; ++i) model.colour[i] = i;
  return model;
}

PhysicalModel lattice_model(std::size_t side, double strength, std::uint64_t seed) {
  Engine engine(seed);
  const auto site = [&](std::size_t x, std::size_t y, std::size_t z) {
    return static_cast<std::uint32_t>((z % side * side + y % side) * side + x % side);
  };
  PhysicalModel model;
  model.f = Quadratic(side * side * side);
  model.g = Quadratic(side * side * side);
  for (std::size_t z = 0; z < side; ++z) {
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t x = 0; x < side; ++x) {
        for (std::uint32_t to : {site(x + 1, y, z), site(x, y + 1, z), site(x, y, z + 1)}) {
          const double sign = (engine() >> 32U) % 2 == 0 ? 1.0 : -1.0;
          model.f.couplings.push_back({site(x, y, z), to, sign * strength});
        }
      }
    }
  }
  model.f.normalise();
  model.colour.resize(model.f.size());
  for (std::uint32_t i = 0; i < model.f.size(); ++i) model.colour[i] = i;
  return model;
}

std::vector<double> boltzmann(const PhysicalModel& model, const Parameters& parameters) {
  const std::size_t pbits = model.f.size();
  std::vector<double> log_weight(std::size_t{1} << pbits);
  for (std::size_t s = 0; s < log_weight.size(); ++s) {
    const std::vector<Spin> spins = state_of(s, pbits);
    log_weight[s] = -parameters.beta * model.f(spins) - parameters.beta_penalty * model.g(spins);
  }
  const double top = *std::max_element(log_weight.begin(), log_weight.end());
  double z = 0.0;
  for (double& w : log_weight) z += w = std::exp(w - top);
  for (double& w : log_weight) w /= z;
  return log_weight;
}

std::vector<double> histogram(Device& device, const PhysicalModel& model,
                              const Parameters& parameters, std::size_t replicas,
                              std::uint64_t rounds, std::uint64_t sweeps) {
  const std::vector<Parameters> all(replicas, device.quantise(parameters));
  std::vector<double> counts(std::size_t{1} << model.f.size());
  device.submit(0, all, 200, 0);
  device.wait(0);
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    device.submit(0, all, sweeps, round);
    device.wait(0);
    for (std::size_t r = 0; r < replicas; ++r) counts[number_of(device.read_spins(0, r))] += 1.0;
  }
  return counts;
}

Distance total_variation(const std::vector<double>& counts, const std::vector<double>& exact) {
  double draws = 0.0;
  for (double c : counts) draws += c;
  Distance d{0.0, 0.0, 0.0};
  double variance = 0.0;
  constexpr double kPi = 3.14159265358979323846;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    d.value += 0.5 * std::abs(counts[s] / draws - exact[s]);
    // Each |count/n - p| is half-normal (or, for rare states, close to 2p(1 - p)^n).
    const double sigma = std::sqrt(exact[s] * (1.0 - exact[s]) / draws);
    d.mean += 0.5 * sigma * std::sqrt(2.0 / kPi);
    variance += 0.25 * sigma * sigma * (1.0 - 2.0 / kPi);
  }
  d.sigma = std::sqrt(variance);
  return d;
}

namespace {
Means means_of(const std::vector<double>& f, const std::vector<double>& g) {
  const auto mean_and_error = [](const std::vector<double>& v) {
    const double n = static_cast<double>(v.size());
    double mean = 0.0, square = 0.0;
    for (double x : v) mean += x / n;
    for (double x : v) square += (x - mean) * (x - mean);
    return std::pair(mean, std::sqrt(square / (n * (n - 1.0))));
  };
  const auto [fm, fe] = mean_and_error(f);
  const auto [gm, ge] = mean_and_error(g);
  return {fm, gm, fe, ge};
}
}  // namespace

Means plain_means(const PhysicalModel& model, const Parameters& parameters, std::size_t chains,
                  std::uint64_t burn_in, std::uint64_t kept, std::uint64_t seed) {
  Engine engine(seed);
  boost::random::uniform_01<double> uniform;
  const auto f_rows = adjacency(model.f), g_rows = adjacency(model.g);
  std::vector<double> f(chains), g(chains);
  for (std::size_t c = 0; c < chains; ++c) {
    std::vector<Spin> spins = state_of(engine(), 0);
    for (std::size_t i = 0; i < model.f.size(); ++i) spins.push_back(engine() % 2 == 0 ? 1 : -1);
    for (std::uint64_t sweep = 0; sweep < burn_in + kept; ++sweep) {
      for (std::size_t i = 0; i < spins.size(); ++i) {
        double ff = model.f.fields[i], fg = model.g.fields[i];
        for (const Neighbour& n : f_rows[i]) ff += n.value * spins[n.spin];
        for (const Neighbour& n : g_rows[i]) fg += n.value * spins[n.spin];
        const double x = 2.0 * (parameters.beta * ff + parameters.beta_penalty * fg);
        spins[i] = uniform(engine) < 1.0 / (1.0 + std::exp(-x)) ? Spin{1} : Spin{-1};
      }
      if (sweep < burn_in) continue;
      f[c] += model.f(spins) / static_cast<double>(kept);
      g[c] += model.g(spins) / static_cast<double>(kept);
    }
  }
  return means_of(f, g);
}

Means device_means(Device& device, const Parameters& parameters, std::size_t replicas,
                   std::uint64_t burn_in, std::uint64_t kept) {
  const std::vector<Parameters> all(replicas, parameters);
  std::vector<double> f(replicas), g(replicas);
  device.submit(0, all, burn_in, 0);
  device.wait(0);
  for (std::uint64_t k = 0; k < kept; ++k) {
    device.submit(0, all, 1, k + 1);
    const BurstResult& result = device.wait(0);
    for (std::size_t r = 0; r < replicas; ++r) {
      f[r] += result.f[r] / static_cast<double>(kept);
      g[r] += result.g[r] / static_cast<double>(kept);
    }
  }
  return means_of(f, g);
}

}  // namespace chainmail::test
