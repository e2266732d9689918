// What the runs of Fig. 3 say: mean curves, the collapse of every method, paired comparisons.
#pragma once

#include "reproduce/collapse.hpp"
#include "reproduce/wishart_runs.hpp"

namespace chainmail::reproduce {

using Runs = std::map<RunKey, std::vector<InstanceCurve>>;
using Quantity = std::vector<double> InstanceCurve::*;  // answer, best or feasible

struct MeanCurve {
  std::vector<double> sweeps;
  std::vector<Estimate> value;

  // The value at the last time <= sweeps; nothing before the first.
  const Estimate* at(double sweeps) const;
};
// Times at which some instance has nothing are left out.
MeanCurve mean_curve(const std::vector<InstanceCurve>& instances, const WishartPlan& plan,
                     Quantity quantity);

// The published curves of one method ("2dpt", "jcolumn"), by size.
std::map<std::size_t, MeanCurve> published_residuals(const ExperimentOptions& options,
                                                     const std::string& method);

struct CollapseRow {
  std::string recipe, quantity;
  std::optional<Estimate> mu;  // with its bootstrap interval over instances
  double misfit = 0.0;
  std::optional<Estimate> sweeps;  // to reach rho = 0.05 at N = 200, extrapolated
};
inline constexpr double kCollapseFrom = 3200.0;  // sweeps, as in the paper
inline constexpr double kGapRho = 0.05, kGapSize = 200.0;
std::vector<CollapseRow> collapse_all(const Runs& runs, const WishartPlan& plan,
                                      std::uint64_t seed);
std::vector<ScalingPoint> scaling_points(const std::map<std::size_t, MeanCurve>& curves);

// a - b of the best feasible rho, by instance, at a number of sweeps. With the pilot counted, each
// has only what is left after its own pilot; nothing where one of them has no state yet.
struct ComparisonRow {
  std::size_t size;
  double sweeps;
  bool pilot_counted;
  std::optional<Estimate> a, b, difference;
};
std::vector<ComparisonRow> compare(const Runs& runs, const WishartPlan& plan, const std::string& a,
                                   const std::string& b);

}  // namespace chainmail::reproduce
