// The tables of a model with a constraint of its own: one image for each penalty in use, all on
// one scale, each holding exactly f' + P g, where f' is f rounded once and P a whole multiple of a
// step. So every column samples the same f' and g, and swaps along P keep detailed balance.
#pragma once

#include <map>

#include "device/kernel/loader.hpp"

namespace chainmail {

class ColumnTables {
 public:
  // Throws InputError, with the bits that would do, when the tables are too narrow.
  ColumnTables(const PhysicalModel& model, const Topology& topology, const LoadOptions& options);

  Parameters quantise(const Parameters& wanted) const;

  // A column's number is P in steps; its image is made when first asked for.
  std::uint64_t column_of(const Parameters& parameters) const;
  double penalty(std::uint64_t column) const { return static_cast<double>(column) * step_; }
  const KernelImage& image(std::uint64_t column);

  // A replica's parameters for the kernel, whose links have weight 1: the model's weight goes into
  // beta P.
  Parameters for_kernel(const Parameters& p) const {
    return {p.beta, p.beta_penalty * constraint_.link_weight};
  }
  double link_weight() const { return constraint_.link_weight; }
  double largest_beta_penalty() const {
    return objective_.largest().beta_penalty / constraint_.link_weight;
  }

  const LoadReport& report() const { return objective_.report(); }  // of f
  double step() const { return step_; }
  std::uint64_t last_column() const { return last_; }

 private:
  Quadratic column_energy(std::uint64_t column) const;

  const Topology* topology_;
  OwnConstraint constraint_;  // g without chains
  Scale scale_;
  double step_ = 0.0;
  std::uint64_t last_ = 0;
  KernelImage objective_;
  Quadratic rounded_;  // f'
  std::map<std::uint64_t, KernelImage> images_;
};

}  // namespace chainmail
