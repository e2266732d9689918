// A chain that is drawn as a whole can flip however strong its links are, so nothing is gained by
// letting it break: with rigid chains every row samples the problem without copies, and the rows
// that suit that problem are the right ones. Its field is that of all copies together, which is why
// hot and cold are measured by whole chains here. Columns differ too little in P to matter; they
// are ladders side by side that exchange replicas freely.
#include "ladder/rigid.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

constexpr double kHottest = 0.5, kFrozen = 3.0;  // in units of a chain's field, as without copies
constexpr double kLinkCost = 9.0;                // of a broken link in the hottest row, times beta
constexpr double kSpread = 1.5;                  // last penalty by the first
constexpr std::size_t kReplicas = 240;

}  // namespace

PilotOptions rigid_pilot(const PhysicalModel& model, PilotOptions options) {
  const PilotOptions usual;
  const Units units = units_of(model);
  const double copies =
      static_cast<double>(model.f.size()) / static_cast<double>(model.chains.size());
  const double chain_field = units.f * std::sqrt(copies);
  if (options.beta0 == 0.0) options.beta0 = kHottest / chain_field;
  if (options.sigma_min == 0.0) options.sigma_min = chain_field;
  if (options.cold_field == usual.cold_field) options.cold_field = kFrozen * units.f / chain_field;
  // A broken link of 1 - s s' costs two.
  if (options.penalty0 == 0.0) options.penalty0 = kLinkCost / (2.0 * options.beta0);
  options.max_columns = 1;
  options.drop_hot_rows = true;
  return options;
}

Ladder rigid_columns(const Ladder& pilot, std::size_t columns) {
  if (columns == 0) columns = std::max<std::size_t>(1, kReplicas / pilot.rows());
  const double first = pilot.penalty.front();
  const double steps = static_cast<double>(std::max<std::size_t>(columns, 2) - 1);
  std::vector<double> penalties;
  for (std::size_t j = 0; j < columns; ++j) {
    penalties.push_back(first * (1.0 + (kSpread - 1.0) * static_cast<double>(j) / steps));
  }
  return pilot.with_columns(std::move(penalties));
}

}  // namespace chainmail
