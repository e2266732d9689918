// Choosing scale and step. In device units a column's couplings are F + p G, with F = f rounded
// and G the constraint's couplings as whole multiples of their unit. |F + p G| is convex in p, so
// all columns fit when p = 0 and the last one do; the largest scale for which they do rounds f
// least. The scale must also give the coldest row a beta below 2, in other words a table's unit
// must not be worth more than about the lowest temperature.
#include "device/kernel/column_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "device/kernel/quantise.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

Quadratic rounded(Quadratic q, double scale) {
  for (Coupling& c : q.couplings) c.value = std::round(c.value * scale) / scale;
  for (double& field : q.fields) field = std::round(field * scale) / scale;
  return q;
}

Quadratic sum(Quadratic f, double penalty, const Quadratic& g) {
  f.offset += penalty * g.offset;
  for (std::size_t i = 0; i < g.size(); ++i) f.fields[i] += penalty * g.fields[i];
  for (const Coupling& c : g.couplings) f.couplings.push_back({c.i, c.j, penalty * c.value});
  f.normalise();
  return f;
}

class Planner {
 public:
  Planner(const Quadratic& f, const Quadratic& own, const Topology& topology,
          const LoadOptions& options)
      : f_(f), own_(own), topology_(topology), options_(options), unit_(unit_of(own)) {}

  Scale scale() const {
    const std::vector<double> values = values_of(sum(f_, options_.penalty_max, own_));
    double largest = 0.0;
    for (double value : values) {
      if (!std::isfinite(value)) throw InputError("a coupling is not a finite number");
      largest = std::max(largest, std::abs(value));
    }
    const double high = std::ldexp(1.0, static_cast<int>(topology_.options.table_bits)) /
                        std::max(largest, std::numeric_limits<double>::min());
    const double most = largest_scale([&](double scale) { return holds(scale); }, high);
    check_width(most);
    const std::vector<double> objective = values_of(f_);
    if (objective.empty()) return {most, true};
    if (const std::optional<double> unit = common_unit(objective)) {
      const double multiple = std::floor(most * *unit * (1.0 + 1e-5));
      const double least = options_.beta_max / std::numbers::ln2 * *unit;
      if (multiple >= std::max(1.0, least) && holds(multiple / *unit)) {
        return {multiple / *unit, true};
      }
    }
    return {most, false};
  }

  double step(double scale) const { return 1.0 / (unit_ * scale); }
  std::uint64_t last_column(double scale) const {
    return static_cast<std::uint64_t>(std::llround(options_.penalty_max / step(scale)));
  }

 private:
  static double unit_of(const Quadratic& own) {
    const std::optional<double> unit = common_unit(values_of(own));
    if (!unit) throw InputError("the constraint's couplings are not multiples of one unit");
    return *unit;
  }

  bool holds(double scale) const {
    const Quadratic f = rounded(f_, scale);
    const double last = static_cast<double>(last_column(scale)) * step(scale);
    return tables_hold(place_model(f, topology_), topology_, scale) &&
           tables_hold(place_model(sum(f, last, own_), topology_), topology_, scale);
  }

  void check_width(double scale) const {
    const double beta_needs = options_.beta_max / std::numbers::ln2;
    const double step_needs = options_.penalty_max > 0.0 ? 1.0 / (unit_ * options_.penalty_max) : 0;
    const double needs = std::max(beta_needs, step_needs);
    if (scale >= needs) return;
    const unsigned bits =
        topology_.options.table_bits + static_cast<unsigned>(std::ceil(std::log2(needs / scale)));
    throw InputError(fmt::format(
        "f + P g up to P = {:.4g} needs tables of about {} bits to tell energies apart at beta = "
        "{:.4g}; topology {} has {}",
        options_.penalty_max, bits, options_.beta_max, topology_.name,
        topology_.options.table_bits));
  }

  const Quadratic& f_;
  const Quadratic& own_;
  const Topology& topology_;
  const LoadOptions& options_;
  double unit_;
};

}  // namespace

ColumnTables::ColumnTables(const PhysicalModel& model, const Topology& topology,
                           const LoadOptions& options)
    : topology_(&topology),
      constraint_(own_constraint(model.g, topology)),
      scale_(Planner(model.f, constraint_.own, topology, options).scale()),
      step_(Planner(model.f, constraint_.own, topology, options).step(scale_.value)),
      last_(Planner(model.f, constraint_.own, topology, options).last_column(scale_.value)),
      objective_(model.f, topology, scale_),
      rounded_(rounded(model.f, scale_.value)) {}

std::uint64_t ColumnTables::column_of(const Parameters& parameters) const {
  if (parameters.beta <= 0.0) return 0;
  const double steps = parameters.beta_penalty / parameters.beta / step_;
  return static_cast<std::uint64_t>(
      std::llround(std::clamp(steps, 0.0, static_cast<double>(last_))));
}

// Chains take beta P as a number of its own, in coarser units than beta. Where there are chains
// beta gives way, so that chains and tables mean the same P.
Parameters ColumnTables::quantise(const Parameters& wanted) const {
  const double p = penalty(column_of(wanted));
  Parameters held =
      objective_.decode(objective_.encode(for_kernel({wanted.beta, wanted.beta * p})));
  if (topology_->links > 0 && p > 0.0) {
    const double beta = held.beta_penalty / (p * constraint_.link_weight);
    held = objective_.decode(objective_.encode({beta, held.beta_penalty}));
  }
  return {held.beta, held.beta * p};
}

Quadratic ColumnTables::column_energy(std::uint64_t column) const {
  return sum(rounded_, penalty(column), constraint_.own);
}

const KernelImage& ColumnTables::image(std::uint64_t column) {
  const auto found = images_.find(column);
  if (found != images_.end()) return found->second;
  return images_.emplace(column, KernelImage(column_energy(column), *topology_, scale_))
      .first->second;
}

}  // namespace chainmail
