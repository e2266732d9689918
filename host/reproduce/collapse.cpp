// The measure of a collapse is that of Houdayer and Hartmann (Phys. Rev. B 70, 014418, 2004): each
// point is compared with a straight line fitted through the neighbouring points of all other sizes.
// It needs no assumption about the master curve. On the published curves it gives mu = 6.3 for
// 2D-PT and 10.5 for J-column, where the paper says about 6 and about 11. What we add: a floor
// under the errors, because once every instance is solved they are zero, and a requirement that
// most points take part, because at a large mu the sizes do not overlap and nothing contradicts
// anything.
#include "reproduce/collapse.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <map>

namespace chainmail::reproduce {

namespace {

constexpr double kErrorFloor = 5e-4;  // of rho: no two sizes agree better than this
constexpr double kLeastShare = 0.4;   // of the points must have neighbours of other sizes

struct Scaled {
  double x, y, variance;
};
using Curve = std::vector<Scaled>;  // of one size, ascending in x

std::map<double, Curve> scaled(const std::vector<ScalingPoint>& points, double mu) {
  std::map<double, Curve> curves;
  for (const ScalingPoint& p : points) {
    const double error = std::max(p.error, kErrorFloor);
    curves[p.size].push_back({std::log(p.sweeps) - mu * std::log(p.size), p.rho, error * error});
  }
  for (auto& [size, curve] : curves) {
    std::sort(curve.begin(), curve.end(),
              [](const Scaled& a, const Scaled& b) { return a.x < b.x; });
  }
  return curves;
}

// The points on both sides of x on every curve but one.
Curve neighbours(const std::map<double, Curve>& curves, double own_size, double x) {
  Curve found;
  for (const auto& [size, curve] : curves) {
    if (size == own_size) continue;
    const auto above = std::lower_bound(curve.begin(), curve.end(), x,
                                        [](const Scaled& s, double value) { return s.x < value; });
    if (above == curve.begin() || above == curve.end()) continue;
    found.push_back(*(above - 1));
    found.push_back(*above);
  }
  return found;
}

// The weighted straight line through some points, at x, with its variance. Centred on x so that
// value and variance are the intercept's.
std::optional<Scaled> line_at(const Curve& points, double x) {
  double w = 0.0, wx = 0.0, wy = 0.0, wxx = 0.0, wxy = 0.0;
  for (const Scaled& p : points) {
    const double weight = 1.0 / p.variance, dx = p.x - x;
    w += weight;
    wx += weight * dx;
    wy += weight * p.y;
    wxx += weight * dx * dx;
    wxy += weight * dx * p.y;
  }
  const double determinant = w * wxx - wx * wx;
  if (!(determinant > 1e-9 * w * w)) return std::nullopt;
  return Scaled{x, (wxx * wy - wx * wxy) / determinant, wxx / determinant};
}

}  // namespace

std::optional<double> collapse_misfit(const std::vector<ScalingPoint>& points, double mu) {
  const std::map<double, Curve> curves = scaled(points, mu);
  double sum = 0.0;
  std::size_t compared = 0;
  for (const auto& [size, curve] : curves) {
    for (const Scaled& point : curve) {
      const Curve others = neighbours(curves, size, point.x);
      if (others.empty()) continue;
      const std::optional<Scaled> line = line_at(others, point.x);
      if (!line) continue;
      const double miss = point.y - line->y;
      sum += miss * miss / (point.variance + line->variance);
      ++compared;
    }
  }
  if (static_cast<double>(compared) < kLeastShare * static_cast<double>(points.size())) return {};
  return sum / static_cast<double>(compared);
}

std::optional<Collapse> fit_collapse(const std::vector<ScalingPoint>& points, double from,
                                     double to) {
  // Coarse first: the misfit has a kink wherever a point gains or loses a neighbour.
  constexpr std::size_t kSteps = 100;
  const double step = (to - from) / static_cast<double>(kSteps);
  std::optional<Collapse> best;
  std::size_t at = 0, last = 0;
  std::optional<std::size_t> first;
  for (std::size_t k = 0; k <= kSteps; ++k) {
    const double mu = from + step * static_cast<double>(k);
    const std::optional<double> misfit = collapse_misfit(points, mu);
    if (!misfit) continue;
    if (!first) first = k;
    last = k;
    if (!best || *misfit < best->misfit) best = Collapse{mu, *misfit}, at = k;
  }
  if (!best || at == *first || at == last) return std::nullopt;
  constexpr int kBits = 20;
  const auto [mu, misfit] = boost::math::tools::brent_find_minima(
      [&](double m) { return collapse_misfit(points, m).value_or(best->misfit + 1.0); },
      best->mu - step, best->mu + step, kBits);
  return misfit < best->misfit ? Collapse{mu, misfit} : best;
}

std::optional<double> sweeps_to_reach(const std::vector<ScalingPoint>& points, double mu,
                                      double rho, double size) {
  // Every curve that crosses rho says where; they agree as far as the collapse holds.
  double sum = 0.0, weights = 0.0;
  for (const auto& [own, curve] : scaled(points, mu)) {
    for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
      if (!(curve[k].y >= rho && curve[k + 1].y < rho)) continue;
      const double part = (curve[k].y - rho) / (curve[k].y - curve[k + 1].y);
      sum += curve[k].x + part * (curve[k + 1].x - curve[k].x);
      weights += 1.0;
      break;
    }
  }
  if (weights == 0.0) return std::nullopt;
  return std::exp(sum / weights + mu * std::log(size));
}

}  // namespace chainmail::reproduce
