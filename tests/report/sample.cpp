#include "sample.hpp"

#include <algorithm>
#include <cmath>

#include "support/random.hpp"

namespace chainmail::test {
namespace {

double noise(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return unit_interval(hash_of(7, {a, b, c}));
}

std::vector<std::vector<double>> acceptances(std::size_t rows, std::size_t columns,
                                             std::uint64_t which) {
  std::vector<std::vector<double>> values(rows, std::vector<double>(columns));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      values[i][j] = std::clamp(0.3 + 0.35 * noise(which, i, j), 0.0, 1.0);
  return values;
}

void add_ladder(Result& r, const SampleSize& size) {
  for (std::size_t i = 0; i < size.rows; ++i)
    r.ladder.beta.push_back(0.35 * std::pow(1.27, static_cast<double>(i)));
  for (std::size_t j = 0; j < size.columns; ++j)
    r.ladder.penalty.push_back(0.5 + 0.21 * static_cast<double>(j));
  for (double beta : r.ladder.beta) {
    std::vector<double> row;
    for (double penalty : r.ladder.penalty)
      row.push_back(static_cast<double>(4 * size.spins) / (1.0 + std::exp(2.0 * beta * penalty)));
    r.ladder.mean_g.push_back(row);
  }
}

// Energy falls like a power of time towards the optimum; every replica walks over the grid.
void add_course(Result& r, const SampleSize& size) {
  const double n = static_cast<double>(size.spins);
  const auto places = static_cast<std::uint32_t>(size.rows * size.columns);
  r.walks.assign(4, {});
  double best = 0.0;
  std::vector<std::uint32_t> place = {0, places / 3, places / 2, places - 1};
  for (std::size_t k = 0; k < size.points; ++k) {
    const double share =
        size.points == 1 ? 1.0 : static_cast<double>(k) / static_cast<double>(size.points - 1);
    TracePoint point;
    point.sweep =
        static_cast<std::uint64_t>(50.0 * std::pow(static_cast<double>(size.sweeps) / 50.0, share));
    const double gap = 0.25 * n * std::pow(1.0 - 0.97 * share, 2.0);
    point.g = 2.0 * std::floor(0.2 * n * std::pow(1.0 - share, 2.0) * noise(3, k, 0) +
                               1.3 * noise(3, k, 1) * noise(3, k, 2));
    point.energy = *r.known_optimum + gap * (0.5 + noise(4, k, 0)) - 0.05 * point.g;
    const double found = *r.known_optimum + (share > 0.72 ? 0.0 : 0.6 * gap);
    if (share > 0.08) {
      if (found < best) r.course.emplace_back(0.4 + 1.8 * share, found);
      best = std::min(best, found);
      point.best = best;
    }
    r.trace.push_back(point);
    for (std::size_t w = 0; w < place.size(); ++w) {
      const auto columns = static_cast<std::uint32_t>(size.columns);
      std::uint32_t row = place[w] / columns, column = place[w] % columns;
      const double u = noise(5, k, w);
      if (u < 0.25 && row > 0)
        --row;
      else if (u < 0.5 && row + 1 < size.rows)
        ++row;
      else if (u < 0.75 && column > 0)
        --column;
      else if (u >= 0.75 && column + 1 < size.columns)
        ++column;
      place[w] = row * columns + column;
      r.walks[w].push_back(place[w]);
    }
  }
}

TrialResult trial(const Result& r, std::size_t number) {
  TrialResult t;
  for (std::size_t k = 0; k < r.spins; ++k)
    t.solution.push_back(noise(6 + number, k, 0) < 0.5 ? Spin{-1} : Spin{1});
  t.feasible = number % 7 != 3;
  t.g = t.feasible ? 0.0 : 4.0;
  t.energy = *r.known_optimum + 0.3 * static_cast<double>(number % 4);
  t.found_at_sweep = 36850 + 977 * number;
  return t;
}

}  // namespace

Result sample_result(const SampleSize& size) {
  Result r;
  r.problem = "wishart-n50-alpha0.75-seed1";
  r.spins = size.spins;
  r.known_optimum = -0.69314718 * static_cast<double>(size.spins);
  r.method = "2dpt";
  r.device = "cpu: int8 couplings, AVX2, 2 threads";
  r.copies = 3;
  r.pbits = 3 * size.spins;
  r.colours = 2;
  r.placement = "alt";
  r.seed = 1;
  r.sweeps = size.sweeps;
  r.sweeps_per_swap = 50;
  r.trials = size.trials;
  r.stopped_by = "sweeps";
  add_ladder(r, size);
  for (std::size_t k = 0; k < size.trials; ++k) r.per_trial.push_back(trial(r, k));
  r.best = r.per_trial.front();
  r.residual_per_spin = (r.best.energy - *r.known_optimum) / static_cast<double>(size.spins);
  r.objective = r.best.energy;
  r.updates = r.sweeps * r.pbits * size.rows * size.columns * size.trials;
  r.seconds = 1.84;
  r.tune_seconds = 0.41;
  r.updates_per_ns = static_cast<double>(r.updates) / r.seconds * 1e-9;
  r.answer_feasible_rate = 0.874;
  r.mean_answer_energy = *r.known_optimum + 0.1;
  r.acceptance_beta = acceptances(size.rows - 1, size.columns, 1);
  r.acceptance_penalty = acceptances(size.rows, size.columns - 1, 2);
  r.round_trips = 218;
  r.peak_memory_kib = 36120;
  add_course(r, size);
  return r;
}

}  // namespace chainmail::test
