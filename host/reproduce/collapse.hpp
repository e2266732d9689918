// Finite-size scaling with b = 0: the exponent mu for which the residuals of all sizes fall on one
// curve, rho = F(t N^-mu), and what the curve says of sizes that were not run.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace chainmail::reproduce {

struct ScalingPoint {
  double size, sweeps, rho, error;  // error: standard error of rho
};

// How badly the points miss one curve at this mu: the mean of squared distances in units of their
// errors, about 1 for a perfect collapse. Nothing when too few points of different sizes overlap.
std::optional<double> collapse_misfit(const std::vector<ScalingPoint>& points, double mu);

struct Collapse {
  double mu = 0.0, misfit = 0.0;
};
// The mu in [from, to] with the least misfit; nothing when no mu lets the sizes overlap, or when
// the least lies at an end (then the data do not determine it).
std::optional<Collapse> fit_collapse(const std::vector<ScalingPoint>& points, double from = 0.5,
                                     double to = 25.0);

// Sweeps to reach `rho` at `size` on the collapsed curve; nothing when the points do not cross it.
std::optional<double> sweeps_to_reach(const std::vector<ScalingPoint>& points, double mu,
                                      double rho, double size);

}  // namespace chainmail::reproduce
