// Detection of n BPSK symbols x sent over a real n x n Rayleigh channel: y = H x + noise, entries
// of H normal with variance 1/n, so that every receiver gets unit signal power and noise of
// variance 10^(-SNR/10). The most likely x minimises f = |y - H S|^2 (the offset makes f that
// distance). What was sent is kept as the reference solution: with noise the optimum can be
// another.
#include <fmt/format.h>

#include <cmath>

#include "generate/kinds.hpp"
#include "generate/mimo.hpp"
#include "problem/enumerate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::size_t antennas(const GenerateOptions& options) {
  return required_n(options, "mimo", 1, 2048);
}

double snr_of(const GenerateOptions& options) {
  const double snr_db = options.snr_db.value_or(10.0);
  if (!(snr_db >= -100.0 && snr_db <= 300.0)) {
    throw UsageError(fmt::format("mimo: SNR = {} dB, expected -100 to 300", snr_db));
  }
  return snr_db;
}

}  // namespace

MimoChannel draw_mimo_channel(const GenerateOptions& options) {
  const std::size_t n = antennas(options);
  const double noise = std::pow(10.0, -snr_of(options) / 20.0);
  Engine engine = engine_for(options);
  MimoChannel channel;
  channel.noise_variance = noise * noise;
  channel.sent = random_state(engine, n);
  channel.gains = random_normals(engine, n * n);
  const double gain = 1.0 / std::sqrt(static_cast<double>(n));
  for (double& h : channel.gains) h *= gain;
  channel.received = random_normals(engine, n);
  for (std::size_t r = 0; r < n; ++r) {
    channel.received[r] *= noise;
    for (std::size_t i = 0; i < n; ++i) {
      channel.received[r] += channel.gains[r * n + i] * channel.sent[i];
    }
  }
  return channel;
}

Problem mimo_problem(const MimoChannel& channel) {
  const std::size_t n = channel.size();
  Problem problem;
  problem.user.name = "squared distance";
  problem.reference_solution = channel.sent;
  // |y - H S|^2 = y.y - 2 (H^T y).S + S^T (H^T H) S, a receiver at a time
  Quadratic& f = problem.objective;
  f = Quadratic(n);
  std::vector<double> gram(n * n, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const double* row = &channel.gains[r * n];
    const double received = channel.received[r];
    f.offset += received * received;
    for (std::size_t i = 0; i < n; ++i) {
      f.offset += row[i] * row[i];
      f.fields[i] += 2.0 * row[i] * received;
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

Problem make_mimo(const GenerateOptions& options) {
  Problem problem = mimo_problem(draw_mimo_channel(options));
  problem.name =
      fmt::format("mimo-n{}-snr{}-s{}", antennas(options), snr_of(options), options.seed);
  return problem;
}

}  // namespace chainmail
