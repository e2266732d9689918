// Which equations sum x = 1 become groups: disjoint ones that cover as many variables as possible.
#pragma once

#include <cstdint>
#include <vector>

#include "model/whole_model.hpp"

namespace chainmail {

// Indices of forms, disjoint in their variables. Equations come first; of the others, those that
// allow at most one of three or more variables join if they touch no group: such a group has an
// extra state for "none".
struct OneHots {
  std::vector<std::uint32_t> exactly_one, at_most_one;
};
OneHots choose_one_hots(const WholeModel& model);

}  // namespace chainmail
