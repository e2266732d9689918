#include "exact.hpp"

#include <cmath>
#include <numeric>

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

}  // namespace exact
