#include "grid/ladder.hpp"

#include <utility>

namespace chainmail {

namespace {

Ladder without_measurements(Ladder ladder) {
  for (auto* table : {&ladder.mean_f, &ladder.sigma_f, &ladder.mean_g, &ladder.sigma_g}) {
    table->clear();
  }
  return ladder;
}

}  // namespace

Ladder Ladder::with_rows(std::vector<double> rows) const {
  Ladder changed = without_measurements(*this);
  changed.beta = std::move(rows);
  return changed;
}

Ladder Ladder::with_columns(std::vector<double> penalties) const {
  Ladder changed = without_measurements(*this);
  changed.penalty = std::move(penalties);
  return changed;
}

}  // namespace chainmail
