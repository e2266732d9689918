// Max-cut as a Problem, for the rudy reader and the generator: f = sum w S S, so couplings are the
// negated weights (whole numbers stay whole) and cut = (sum w - f) / 2.
#pragma once

#include <vector>

#include "problem/problem.hpp"

namespace chainmail {

// `edges` sorted, distinct, i < j, none zero; value is the weight.
Problem max_cut(std::size_t vertices, std::vector<Coupling> edges);

}  // namespace chainmail
