// Detection of n BPSK symbols x sent over a real n x n Rayleigh channel: y = H x + noise, entries
// of H normal with variance 1/n, so that every receiver gets unit signal power and noise of
// variance 10^(-SNR/10). The most likely x minimises f = |y - H S|^2 (the offset makes f that
// distance). What was sent is kept as the reference solution: with noise the optimum can be
// another.
#include <fmt/format.h>

#include <cmath>

#include "generate/kinds.hpp"
#include "problem/enumerate.hpp"
#include "support/error.hpp"

namespace chainmail {

Problem make_mimo(const GenerateOptions& options) {
  const std::size_t n = required_n(options, "mimo", 1, 2048);
  const double snr_db = options.snr_db.value_or(10.0);
  if (!(snr_db >= -100.0 && snr_db <= 300.0)) {
    throw UsageError(fmt::format("mimo: SNR = {} dB, expected -100 to 300", snr_db));
  }
  Engine engine = engine_for(options);
  Problem problem;
  problem.name = fmt::format("mimo-n{}-snr{}-s{}", n, snr_db, options.seed);
  problem.user.name = "squared distance";
  problem.reference_solution = random_state(engine, n);
  std::vector<double> channel = random_normals(engine, n * n);  // row: receiver, column: sender
  const double gain = 1.0 / std::sqrt(static_cast<double>(n));
  for (double& h : channel) h *= gain;
  std::vector<double> received = random_normals(engine, n);
  const double noise = std::pow(10.0, -snr_db / 20.0);
  for (std::size_t r = 0; r < n; ++r) {
    received[r] *= noise;
    for (std::size_t i = 0; i < n; ++i) {
      received[r] += channel[r * n + i] * problem.reference_solution[i];
    }
  }

  // |y - H S|^2 = y.y - 2 (H^T y).S + S^T (H^T H) S, a receiver at a time
  Quadratic& f = problem.objective;
  f = Quadratic(n);
  std::vector<double> gram(n * n, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const double* row = &channel[r * n];
    f.offset += received[r] * received[r];
    for (std::size_t i = 0; i < n; ++i) {
      f.offset += row[i] * row[i];
      f.fields[i] += 2.0 * row[i] * received[r];
      for (std::size_t j = i + 1; j < n; ++j) gram[i * n + j] += row[i] * row[j];
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) f.couplings.push_back({i, j, -2.0 * gram[i * n + j]});
  }
  f.normalise();
  store_enumerated_optimum(problem);
  return problem;
}

}  // namespace chainmail
