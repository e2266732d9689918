// The exact optimum of a small problem, by visiting every state: the reference of tests, and the
// known optimum that generators store.
#pragma once

#include <optional>
#include <vector>

#include "problem/problem.hpp"

namespace chainmail {

inline constexpr std::size_t kEnumerable = 20;     // spins that generators enumerate (a few ms)
inline constexpr std::size_t kMaxEnumerable = 30;  // more is InputError

struct Optimum {
  double energy;            // f(state), evaluated from scratch
  std::vector<Spin> state;  // feasible
};

// The lowest feasible f; nothing when no state is feasible.
std::optional<Optimum> enumerate_optimum(const Problem& problem);

// Stores it in the problem when that has at most kEnumerable spins; else leaves it alone.
void store_enumerated_optimum(Problem& problem);

}  // namespace chainmail
