#include "reproduce/wishart_analysis.hpp"

#include <algorithm>
#include <cmath>

#include "reproduce/table.hpp"

namespace chainmail::reproduce {

namespace {

constexpr std::size_t kDraws = 200;
constexpr double kNormal95 = 1.96;

std::vector<double> column_at(const std::vector<InstanceCurve>& instances, Quantity quantity,
                              std::size_t time) {
  std::vector<double> values;
  for (const InstanceCurve& curve : instances) {
    const double value = (curve.*quantity)[time];
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

// The instances of one method by size, in the order of bootstrap groups.
struct Group {
  std::size_t size;
  const std::vector<InstanceCurve>* instances;
};

std::vector<ScalingPoint> resampled(const std::vector<Group>& groups, const Chosen& chosen,
                                    const WishartPlan& plan, Quantity quantity) {
  std::vector<ScalingPoint> points;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<InstanceCurve> drawn;
    drawn.reserve(chosen[g].size());
    for (std::size_t index : chosen[g]) drawn.push_back((*groups[g].instances)[index]);
    const MeanCurve curve = mean_curve(drawn, plan, quantity);
    const std::vector<ScalingPoint> own = scaling_points({{groups[g].size, curve}});
    points.insert(points.end(), own.begin(), own.end());
  }
  return points;
}

CollapseRow collapse_of(const std::vector<Group>& groups, const WishartPlan& plan,
                        Quantity quantity, std::uint64_t seed) {
  CollapseRow row;
  std::vector<std::size_t> sizes;
  Chosen all;
  for (const Group& group : groups) {
    sizes.push_back(group.instances->size());
    all.emplace_back();
    for (std::size_t k = 0; k < sizes.back(); ++k) all.back().push_back(k);
  }
  const std::vector<ScalingPoint> points = resampled(groups, all, plan, quantity);
  const std::optional<Collapse> fit = fit_collapse(points);
  if (!fit) return row;
  row.misfit = fit->misfit;
  constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> reached;
  row.mu = bootstrap(sizes, kDraws, seed, [&](const Chosen& chosen) {
    const std::vector<ScalingPoint> drawn = resampled(groups, chosen, plan, quantity);
    const std::optional<Collapse> again = fit_collapse(drawn);
    if (!again) return kNoValue;
    if (const auto sweeps = sweeps_to_reach(drawn, again->mu, kGapRho, kGapSize)) {
      reached.push_back(*sweeps);
    }
    return again->mu;
  });
  if (const auto sweeps = sweeps_to_reach(points, fit->mu, kGapRho, kGapSize)) {
    row.sweeps =
        Estimate{*sweeps, quantile(reached, 0.025), quantile(reached, 0.975), reached.size()};
  }
  return row;
}

const InstanceCurve* find(const std::vector<InstanceCurve>& curves, std::size_t instance) {
  for (const InstanceCurve& curve : curves) {
    if (curve.instance == instance) return &curve;
  }
  return nullptr;
}

// The best feasible rho after `budget` sweeps, of which a pilot may have taken its part: linear in
// ln t between two measurements, or a pilot of one sweep would cost as much as one of two hundred.
std::optional<double> best_after(const InstanceCurve& curve, const WishartPlan& plan, double budget,
                                 bool pilot_counted) {
  const double left = pilot_counted ? budget - curve.pilot : budget;
  std::optional<double> best;
  for (std::size_t k = 0; k < plan.times.size(); ++k) {
    const auto time = static_cast<double>(plan.times[k]);
    if (!std::isfinite(curve.best[k])) continue;
    if (time > left) {
      if (!best) break;
      const auto before = static_cast<double>(plan.times[k - 1]);
      *best += (curve.best[k] - *best) * std::log(left / before) / std::log(time / before);
      break;
    }
    best = curve.best[k];
  }
  return best;
}

ComparisonRow compare_at(const std::vector<InstanceCurve>& a, const std::vector<InstanceCurve>& b,
                         const WishartPlan& plan, ComparisonRow row) {
  std::vector<double> of_a, of_b, difference;
  std::size_t pairs = 0;
  for (const InstanceCurve& mine : a) {
    const InstanceCurve* other = find(b, mine.instance);
    if (other == nullptr) continue;
    ++pairs;
    const auto x = best_after(mine, plan, row.sweeps, row.pilot_counted);
    const auto y = best_after(*other, plan, row.sweeps, row.pilot_counted);
    if (x) of_a.push_back(*x);
    if (y) of_b.push_back(*y);
    if (x && y) difference.push_back(*x - *y);
  }
  if (pairs == 0) return row;
  if (of_a.size() == pairs) row.a = mean_of(of_a);
  if (of_b.size() == pairs) row.b = mean_of(of_b);
  if (row.a && row.b) row.difference = mean_of(difference);
  return row;
}

}  // namespace

const Estimate* MeanCurve::at(double time) const {
  const Estimate* found = nullptr;
  for (std::size_t k = 0; k < sweeps.size() && sweeps[k] <= time; ++k) found = &value[k];
  return found;
}

MeanCurve mean_curve(const std::vector<InstanceCurve>& instances, const WishartPlan& plan,
                     Quantity quantity) {
  MeanCurve curve;
  for (std::size_t k = 0; k < plan.times.size(); ++k) {
    const std::vector<double> values = column_at(instances, quantity, k);
    if (values.empty() || values.size() < instances.size()) continue;
    curve.sweeps.push_back(static_cast<double>(plan.times[k]));
    curve.value.push_back(mean_of(values));
  }
  return curve;
}

std::map<std::size_t, MeanCurve> published_residuals(const ExperimentOptions& options,
                                                     const std::string& method) {
  std::map<std::size_t, MeanCurve> curves;
  const auto table = published(options, "wishart_residual.csv");
  if (!table) return curves;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    if (table->text(row, "method") != method) continue;
    MeanCurve& curve = curves[static_cast<std::size_t>(table->number(row, "n"))];
    curve.sweeps.push_back(table->number(row, "sweeps"));
    curve.value.push_back({table->number(row, "rho"), table->number(row, "ci_low"),
                           table->number(row, "ci_high"), 2000});
  }
  return curves;
}

std::vector<ScalingPoint> scaling_points(const std::map<std::size_t, MeanCurve>& curves) {
  std::vector<ScalingPoint> points;
  for (const auto& [size, curve] : curves) {
    for (std::size_t k = 0; k < curve.sweeps.size(); ++k) {
      if (curve.sweeps[k] < kCollapseFrom) continue;
      const Estimate& rho = curve.value[k];
      const double error = std::isfinite(rho.high) ? (rho.high - rho.low) / (2.0 * kNormal95) : 1.0;
      points.push_back({static_cast<double>(size), curve.sweeps[k], rho.value, error});
    }
  }
  return points;
}

std::vector<CollapseRow> collapse_all(const Runs& runs, const WishartPlan& plan,
                                      std::uint64_t seed) {
  std::vector<CollapseRow> rows;
  for (const Recipe& recipe : recipes()) {
    std::vector<Group> groups;
    for (std::size_t size : plan.sizes) {
      const auto found = runs.find({recipe.name, size});
      if (found != runs.end()) groups.push_back({size, &found->second});
    }
    if (groups.size() < 2) continue;
    // J-column has no answer replica: the paper takes the best feasible of its columns.
    const bool has_answer =
        *recipe.options.method == Method::two_dimensional && recipe.at_most == 0;
    for (const auto& [name, quantity] :
         {std::pair{"answer", &InstanceCurve::answer}, std::pair{"best", &InstanceCurve::best}}) {
      if (quantity == &InstanceCurve::answer && !has_answer) continue;
      CollapseRow row = collapse_of(groups, plan, quantity, seed);
      row.recipe = recipe.name;
      row.quantity = name;
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<ComparisonRow> compare(const Runs& runs, const WishartPlan& plan, const std::string& a,
                                   const std::string& b) {
  std::vector<ComparisonRow> rows;
  for (std::size_t size : plan.compared) {
    const auto of_a = runs.find({a, size}), of_b = runs.find({b, size});
    if (of_a == runs.end() || of_b == runs.end()) continue;
    for (bool counted : {false, true}) {
      for (std::uint64_t time : doubling(1600, plan.times.back())) {
        rows.push_back(compare_at(of_a->second, of_b->second, plan,
                                  {size, static_cast<double>(time), counted, {}, {}, {}}));
      }
    }
  }
  return rows;
}

}  // namespace chainmail::reproduce
