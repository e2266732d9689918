#include "ladder/geometric.hpp"

#include <cmath>

namespace chainmail {

double rms_field(const Quadratic& f) {
  double sum = 0.0;
  for (double h : f.fields) sum += h * h;
  for (const Coupling& c : f.couplings) sum += 2.0 * c.value * c.value;
  return std::sqrt(sum / static_cast<double>(f.size()));
}

std::vector<double> geometric_rows(double hot, double cold, std::size_t rows) {
  std::vector<double> beta(rows, cold);
  for (std::size_t k = 0; k + 1 < rows; ++k) {
    beta[k] = hot * std::pow(cold / hot, static_cast<double>(k) / static_cast<double>(rows - 1));
  }
  return beta;
}

Ladder geometric_ladder(const PhysicalModel& model, const GeometricOptions& options) {
  const double field = rms_field(model.f);
  const double unit = field > 0.0 ? field : 1.0;  // nothing to minimise: any ladder will do
  Ladder ladder;
  const double hot = options.beta0 > 0.0 ? options.beta0 : options.hot / unit;
  ladder.beta = geometric_rows(hot, hot * options.cold / options.hot, options.rows);
  ladder.penalty = {0.0};
  return ladder;
}

}  // namespace chainmail
