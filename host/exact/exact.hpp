// Small problems solved exactly, before any search: they are split into independent parts, and
// every part is solved by the cheapest way that proves its answer. All comparisons are in whole
// numbers, so that rounding decides nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "exact/tree_model.hpp"

namespace chainmail {

struct ExactOptions {
  std::size_t keep = 1;                // how many best states
  bool patient = false;                // take as long as it takes
  std::size_t small = 64;              // spins of a part that a tree is tried on (settle())
  std::function<bool()> stopped = {};  // called every few thousand states
};

struct ExactAnswer {
  bool proved = true;  // else it was stopped: the best states so far
  // Best first, ties ordered by their bits; none: no solution exists.
  std::vector<std::vector<Bit>> states;
  std::string how;     // e.g. "enumeration"
  double slack = 0.0;  // numbers had to be rounded: nothing is better by more than this
  // If no solution exists: the state that violates its constraints least.
  std::vector<Bit> closest;
};

// Nothing if that would take too long, or was stopped before anything was found.
std::optional<ExactAnswer> solve_exactly(const Problem& problem, const ExactOptions& options,
                                         Numbers numbers = Numbers::binary);
std::optional<ExactAnswer> solve_exactly(const TreeModel& model, const ExactOptions& options);

}  // namespace chainmail
