// Every state of a box, depth first, in whole numbers. A branch ends where a row can no longer hold
// or the objective can no longer be better than the answer.
#pragma once

#include "check/box.hpp"

namespace chainmail::checker {

struct Visit {
  std::vector<std::size_t> order = {};  // variables that come first
  std::optional<Linear> also = {};      // a row that all states of interest satisfy
  double most = 0.0;                    // nodes
};

// Empty if no state of the box is a solution, or none better than the answer; else what was found.
// Nothing if that takes too many nodes.
std::optional<std::string> visit_all(const Model& model, const Box& box,
                                     const std::optional<Rational>& answer, const Visit& visit);

}  // namespace chainmail::checker
