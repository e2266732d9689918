// The one scale that turns a placed model's couplings into integers the tables can hold.
#pragma once

#include "device/kernel/loader.hpp"

namespace chainmail {

struct Scale {
  double value = 1.0;  // device units per unit of f
  bool exact = false;
};

// Exact where all couplings are multiples of one unit that fits; else as fine as the tables allow.
Scale choose_scale(const PlacedModel& placed, const Topology& topology,
                   const LoaderOptions& options);

}  // namespace chainmail
