#include "reproduce/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/random.hpp"

namespace chainmail::reproduce {

namespace {

constexpr double kTail = 0.025;  // beyond each end of an interval

double average(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Estimate mean_of(const std::vector<double>& values) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (values.empty()) return {std::numeric_limits<double>::quiet_NaN(), -kInfinity, kInfinity, 0};
  const double mean = average(values);
  if (values.size() == 1) return {mean, -kInfinity, kInfinity, 1};
  const auto count = static_cast<double>(values.size());
  double squares = 0.0;
  for (double value : values) squares += (value - mean) * (value - mean);
  const boost::math::students_t student(count - 1.0);
  const double half = boost::math::quantile(boost::math::complement(student, kTail)) *
                      std::sqrt(squares / (count - 1.0) / count);
  return {mean, mean - half, mean + half, values.size()};
}

Estimate share_of(std::uint64_t successes, std::uint64_t attempts) {
  if (attempts == 0) return {std::numeric_limits<double>::quiet_NaN(), 0.0, 1.0, 0};
  using Binomial = boost::math::binomial;
  const auto n = static_cast<double>(attempts), k = static_cast<double>(successes);
  return {k / n, Binomial::find_lower_bound_on_p(n, k, kTail),
          Binomial::find_upper_bound_on_p(n, k, kTail), attempts};
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double part = at - static_cast<double>(below);
  return values[below] + part * (values[above] - values[below]);
}

Estimate bootstrap(const std::vector<std::size_t>& group_sizes, std::size_t draws,
                   std::uint64_t seed, const std::function<double(const Chosen&)>& statistic) {
  Chosen chosen;
  for (std::size_t size : group_sizes) {
    chosen.emplace_back(size);
    std::iota(chosen.back().begin(), chosen.back().end(), std::size_t{0});
  }
  const double value = statistic(chosen);
  Engine engine(seed);
  std::vector<double> results;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    for (std::vector<std::size_t>& group : chosen) {
      if (group.empty()) continue;
      boost::random::uniform_int_distribution<std::size_t> any(0, group.size() - 1);
      for (std::size_t& index : group) index = any(engine);
    }
    const double result = statistic(chosen);
    if (std::isfinite(result)) results.push_back(result);
  }
  return {value, quantile(results, kTail), quantile(results, 1.0 - kTail), results.size()};
}

double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = average(x), mean_y = average(y);
  double xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
  }
  return xy / xx;
}

}  // namespace chainmail::reproduce
