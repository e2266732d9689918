#include "ladder/geometric.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

// The hottest row without fields, with fields that weigh as much as couplings, and what they weigh
// then as a share of all squares (docs/lab/defaults.md).
constexpr double kHot = 1.0, kHotFields = 3.0, kShareOfFields = 0.5;

double squared_fields(const Quadratic& f) {
  double sum = 0.0;
  for (double h : f.fields) sum += h * h;
  return sum;
}

}  // namespace

double rms_field(const Quadratic& f) {
  double sum = squared_fields(f);
  for (const Coupling& c : f.couplings) sum += 2.0 * c.value * c.value;
  return std::sqrt(sum / static_cast<double>(f.size()));
}

double hot_end(const Quadratic& f) {
  const double unit = rms_field(f);
  if (!(unit > 0.0)) return kHot;
  const double share = squared_fields(f) / (unit * unit * static_cast<double>(f.size()));
  return kHot + (kHotFields - kHot) * std::min(1.0, share / kShareOfFields);
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
  const double hot = hot_end(model.f);
  const double hottest = options.beta0 > 0.0 ? options.beta0 : hot / unit;
  ladder.beta = geometric_rows(hottest, hottest * options.cold / hot, options.rows);
  ladder.penalty = {0.0};
  return ladder;
}

}  // namespace chainmail
