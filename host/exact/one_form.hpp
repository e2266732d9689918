// Models of one linear constraint and a linear objective (knapsacks, equations, subset sums) with
// too many states to visit them all: a table over the sums where those are few (dynamic
// programming), or all states of one half of the bits against those of the other, sorted by their
// sums (meet in the middle).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "exact/tree.hpp"

namespace chainmail {

struct OneFormResult {
  TreeResult found;  // one state
  std::string how;
};

// Nothing if the model is of another kind, or too large for both.
std::optional<OneFormResult> solve_one_form(const TreeModel& model,
                                            const std::function<bool()>& stopped);

}  // namespace chainmail
