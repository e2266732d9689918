// What can be decided about a problem in spins before any search, exactly:
//   - spins with few neighbours are taken out (problem/reduction.hpp),
//   - parts that are not coupled are solved apart, small ones as a tree (exact/exact.hpp),
//   - where all couplings can be satisfied at once after turning some spins over, a part without
//     fields is solved by that, one with fields by a minimal cut,
//   - of other parts with fields, roof duality settles spins that stand alike in every optimum:
//     the minimal cut of the part and its mirror image (Boros and Hammer 2002, Rother et al. 2007).
#pragma once

#include <optional>
#include <string>

#include "exact/exact.hpp"
#include "problem/reduction.hpp"

namespace chainmail {

struct Settled {
  std::optional<ExactAnswer> answer;   // nothing was left
  std::optional<Reduction> reduction;  // else: what is, where anything was settled
};

// For problems without a constraint.
Settled settle(const Problem& problem, const ExactOptions& options);

}  // namespace chainmail
