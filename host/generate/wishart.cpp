// Wishart planting (Hamze, Raymond, Pattison, Biswas, Katzgraber 2020). With W an N x M matrix
// whose columns are all orthogonal to a state t, J = -W W^T / N without its diagonal gives
//   f(S) = (|W^T S|^2 - |W|^2) / (2 N) >= -|W|^2 / (2 N), reached at S = t (and -t),
// so t is a ground state by construction; alpha = M / N sets how hard it is to find. Gaussian
// columns are projected onto the complement of t. The whole-number variant takes columns of N/2
// ones and N/2 minus ones in random order (one zero as well when N is odd), turned by the gauge t:
// orthogonal without rounding, |J| <= M, and no 1/N, so that fixed point holds it exactly. Few such
// columns (small alpha) leave other states of the same energy; the planted one is optimal all the
// same.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "generate/kinds.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

using Column = std::vector<double>;

Column gaussian_column(Engine& engine, const std::vector<Spin>& planted) {
  const auto n = static_cast<double>(planted.size());
  Column w = random_normals(engine, planted.size());
  double overlap = 0.0;
  for (std::size_t i = 0; i < w.size(); ++i) overlap += planted[i] * w[i];
  const double scale = std::sqrt(n / (n - 1.0));
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = scale * (w[i] - planted[i] * overlap / n);
  return w;
}

Column balanced_column(Engine& engine, const std::vector<Spin>& planted) {
  const std::size_t n = planted.size();
  Column w(n, 0.0);
  for (std::size_t i = 0; i < n / 2; ++i) {
    w[2 * i] = 1.0;
    w[2 * i + 1] = -1.0;
  }
  for (std::size_t i = n; i > 1; --i) std::swap(w[i - 1], w[random_below(engine, i)]);
  for (std::size_t i = 0; i < n; ++i) w[i] *= planted[i];
  return w;
}

}  // namespace

Problem make_wishart(const GenerateOptions& options) {
  const std::size_t n = required_n(options, "wishart", 2, kMaxDense);
  const double alpha = options.alpha.value_or(0.75);
  // The small term lets alpha = 0.29 of 100 spins be 29 columns, as meant, not 28.
  const double columns = std::floor(alpha * static_cast<double>(n) + 1e-9);
  constexpr double kMaxColumns = 1 << 16;
  if (!(columns >= 1.0 && columns <= kMaxColumns)) {
    throw UsageError(fmt::format("wishart: alpha = {} of n = {} is {} columns, expected 1 to {}",
                                 alpha, n, columns, kMaxColumns));
  }

  Engine engine = engine_for(options);
  Problem problem;
  problem.name = fmt::format("wishart{}-n{}-a{}-s{}", options.integer ? "-integer" : "", n, alpha,
                             options.seed);
  problem.known_solution = random_state(engine, n);
  std::vector<double> product(n * n, 0.0);  // W W^T, upper triangle
  for (std::size_t m = 0; m < static_cast<std::size_t>(columns); ++m) {
    const Column w = options.integer ? balanced_column(engine, problem.known_solution)
                                     : gaussian_column(engine, problem.known_solution);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) product[i * n + j] += w[i] * w[j];
    }
  }

  problem.objective = Quadratic(n);
  const double scale = options.integer ? -1.0 : -1.0 / static_cast<double>(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      const double value = scale * product[i * n + j];
      if (value != 0.0) problem.objective.couplings.push_back({i, j, value});
    }
  }
  problem.known_optimum = problem.objective(problem.known_solution);
  return problem;
}

}  // namespace chainmail
