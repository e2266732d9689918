// Whole-number bounds of a model's variables: as given, then tightened by what the constraints
// leave room for. A bound that follows from a constraint cuts off no feasible solution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/constrained_model.hpp"

namespace chainmail {

struct WholeBounds {
  std::int64_t lower, upper;
};

struct TightBounds {
  std::vector<WholeBounds> bounds;  // by variable
  std::vector<std::string> notes;   // what was found impossible
};

// Throws InputError naming a variable that stays without bound, or whose bounds are too far apart.
TightBounds tighten_bounds(const ConstrainedModel& model);

}  // namespace chainmail
