// Means with 95 % intervals, shares with 95 % intervals, and the bootstrap: what every published
// number of ours carries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace chainmail::reproduce {

struct Estimate {
  double value = 0.0, low = 0.0, high = 0.0;  // 95 % interval
  std::size_t count = 0;                      // independent values behind it
};

// Mean of independent values with Student's interval; one value has an infinite one.
Estimate mean_of(const std::vector<double>& values);

// Successes of independent attempts, with the interval of Clopper and Pearson (never too short).
Estimate share_of(std::uint64_t successes, std::uint64_t attempts);

double quantile(std::vector<double> values, double share);  // linear between order statistics

// The 95 % percentile interval of a statistic over `draws` resamplings. Units are drawn with
// replacement within each group (e.g. the instances of one size); the statistic gets the chosen
// indices by group. Draws for which it is not finite are left out; count says how many were not.
using Chosen = std::vector<std::vector<std::size_t>>;
Estimate bootstrap(const std::vector<std::size_t>& group_sizes, std::size_t draws,
                   std::uint64_t seed, const std::function<double(const Chosen&)>& statistic);

// Least-squares slope of y over x.
double slope_of(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace chainmail::reproduce
