// Every state of a box, depth first, in whole numbers. A branch ends where a row can no longer hold
// or the objective can no longer be better than the answer.
#pragma once

#include "check/box.hpp"

namespace chainmail::checker {

// Empty if no state of the box is a solution, or none better than the answer; else what was found.
// Nothing if that takes more than `most` nodes.
std::optional<std::string> visit_all(const Model& model, const Box& box,
                                     const std::optional<Rational>& answer, double most);

}  // namespace chainmail::checker
