// The normal equations by Cholesky's method: H^T H + ridge I is symmetric and positive definite.
#include "reproduce/linear_detectors.hpp"

#include <cmath>

#include "support/error.hpp"

namespace chainmail::reproduce {

namespace {

// Solves A x = b in place; `a` holds A row by row and becomes its factor.
void solve_positive(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) rest -= a[i * n + k] * a[j * n + k];
      if (i == j && !(rest > 0.0)) throw InputError("the channel has no inverse");
      a[i * n + j] = i == j ? std::sqrt(rest) : rest / a[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
}

}  // namespace

std::vector<Spin> linear_detection(const MimoChannel& channel, double ridge) {
  const std::size_t n = channel.size();
  std::vector<double> normal(n * n, 0.0), x(n, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const double* row = &channel.gains[r * n];
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += row[i] * channel.received[r];
      for (std::size_t j = 0; j <= i; ++j) normal[i * n + j] += row[i] * row[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) normal[i * n + i] += ridge;
  solve_positive(normal, x);
  std::vector<Spin> decided(n);
  for (std::size_t i = 0; i < n; ++i) decided[i] = x[i] < 0.0 ? Spin{-1} : Spin{1};
  return decided;
}

}  // namespace chainmail::reproduce
