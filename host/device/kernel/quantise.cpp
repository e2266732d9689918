// Choosing the scale. Two bounds: sums of couplings must fit the tables (from above), and beta in
// device units must stay below 2 (from below: the larger the scale, the smaller its beta). An
// integer problem takes the smallest multiple of its unit that allows the largest beta, which
// leaves beta the most resolution; any other takes the largest scale that fits.
#include "device/kernel/quantise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "support/error.hpp"

namespace chainmail {

namespace {

class Fit {
 public:
  Fit(const PlacedModel& placed, const Topology& topology, const LoaderOptions& options)
      : placed_(placed),
        topology_(topology),
        table_limit_((std::int64_t{1} << (topology.options.table_bits - 1)) - 1),
        field_limit_((std::int64_t{1} << (topology.field_bits - 1)) - 1),
        value_limit_(options.coupling_bits > 0
                         ? (std::int64_t{1} << (options.coupling_bits - 1)) - 1
                         : table_limit_) {}

  // Whether all sums hold after rounding at this scale.
  bool holds(double scale) const {
    for (std::size_t p = 0; p < placed_.terms.size(); ++p) {
      if (!pbit_holds(p, scale)) return false;
    }
    return true;
  }

 private:
  bool pbit_holds(std::size_t p, double scale) const {
    std::vector<std::int64_t> table(topology_.tables, 0);
    const std::int64_t field = std::llabs(std::llround(placed_.fields[p] * scale));
    table[0] = field;
    std::int64_t sum = field;
    std::int64_t largest = field, largest_coupling = 0;
    for (const PlacedModel::Term& term : placed_.terms[p]) {
      const std::int64_t value = std::llabs(std::llround(term.value * scale));
      table[term.slot / topology_.address_bits] += value;  // of rows a group's
      sum += value;
      largest = std::max(largest, value);
      largest_coupling = std::max(largest_coupling, value);
    }
    // Row and flip kernels store couplings directly, with the field next to them.
    if (topology_.options.dense()) {
      return sum <= field_limit_ && largest_coupling <= value_limit_;
    }
    return sum <= field_limit_ && largest <= value_limit_ &&
           *std::max_element(table.begin(), table.end()) <= table_limit_;
  }

  const PlacedModel& placed_;
  const Topology& topology_;
  std::int64_t table_limit_, field_limit_, value_limit_;
};

std::vector<double> values_of(const PlacedModel& placed) {
  std::vector<double> values;
  for (std::size_t p = 0; p < placed.terms.size(); ++p) {
    if (placed.fields[p] != 0.0) values.push_back(placed.fields[p]);
    for (const PlacedModel::Term& term : placed.terms[p]) values.push_back(term.value);
  }
  return values;
}

}  // namespace

std::optional<double> common_unit(const std::vector<double>& values) {
  std::vector<double> factors;
  for (int power = 0; power <= 20; ++power) factors.push_back(std::ldexp(1.0, power));
  for (const double decimal : {10., 100., 1000., 10000.}) factors.push_back(decimal);
  for (const double factor : factors) {
    std::int64_t divisor = 0;
    const bool integer = std::all_of(values.begin(), values.end(), [&](double value) {
      const double scaled = value * factor;
      if (std::abs(scaled) > 1e9 || std::abs(scaled - std::round(scaled)) > 1e-9) return false;
      divisor = std::gcd(divisor, std::llround(scaled));
      return true;
    });
    if (integer && divisor > 0) return static_cast<double>(divisor) / factor;
  }
  return std::nullopt;
}

std::vector<double> values_of(const Quadratic& q) {
  std::vector<double> values;
  for (double field : q.fields) {
    if (field != 0.0) values.push_back(field);
  }
  for (const Coupling& c : q.couplings) values.push_back(c.value);
  return values;
}

double largest_scale(const std::function<bool(double)>& holds, double high) {
  double low = 0.0;
  for (int step = 0; step < 60 && high - low > 1e-6 * high; ++step) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

bool tables_hold(const PlacedModel& placed, const Topology& topology, double scale) {
  return Fit(placed, topology, {}).holds(scale);
}

Scale choose_scale(const PlacedModel& placed, const Topology& topology,
                   const LoaderOptions& options) {
  const Fit fit(placed, topology, options);
  const std::vector<double> values = values_of(placed);
  // beta in device units is 2 beta / (ln 2 scale) and must stay below 2.
  const double least = options.beta_max / std::numbers::ln2 * (1.0 + 1e-6);
  if (values.empty()) return {std::max(1.0, least), true};
  double largest = 0.0;
  for (double value : values) {
    if (!std::isfinite(value)) throw InputError("a coupling is not a finite number");
    largest = std::max(largest, std::abs(value));
  }
  const double ceiling = largest_scale(
      [&](double scale) { return fit.holds(scale); },
      std::ldexp(1.0, static_cast<int>(topology.options.dense() ? topology.field_bits
                                                                : topology.options.table_bits)) /
          largest);
  if (const std::optional<double> unit = common_unit(values)) {
    const double most = std::max(1.0, std::floor(ceiling * *unit * (1.0 + 1e-5)));
    const double multiple =
        options.beta_max > 0.0 ? std::clamp(std::ceil(least * *unit), 1.0, most) : most;
    if (fit.holds(multiple / *unit)) return {multiple / *unit, true};
  }
  return {ceiling, false};
}

}  // namespace chainmail
