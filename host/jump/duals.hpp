// Prices of the rows of a linear model by subgradient steps on its Lagrangian: what a row's limit
// is worth, the reduced cost of each variable, and a bound on f.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "jump/jump_model.hpp"

namespace chainmail {

struct JumpDuals {
  double bound =
      -std::numeric_limits<double>::infinity();  // no feasible f is lower, up to rounding
  std::vector<double> row;                       // by row: f rises by this per unit of its limit
  std::vector<double> reduced;  // by variable; members of a group: beyond the cheapest of them
  std::vector<std::int64_t> relaxed;  // the values that attain the bound
  std::uint64_t work = 0;             // terms looked at

  bool known() const { return !reduced.empty(); }
};

struct DualLimits {
  std::uint64_t work = 500'000'000;  // terms to look at, at most
  std::function<bool()> going = {};  // asked every few milliseconds; false ends it
};

// `above` is the f of a feasible state.
JumpDuals find_duals(const JumpModel& model, double above, const DualLimits& limits = {});

}  // namespace chainmail
