// Every state of a small model, visited as a tree: a level fixes one bit, or one group, and knows
// the least f that its other bits can still add and the range of each form. A branch ends if that f
// is no better than what was found or a form can no longer hold, so far fewer states are visited
// than there are; at worst a state costs a few additions, as in a Gray code.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "exact/tree_model.hpp"

namespace chainmail {

struct TreeState {
  Wide f;
  std::vector<Bit> x;
};

struct TreeOptions {
  std::size_t keep = 1;  // how many best states, by f and then by their bits, lowest first
  std::uint64_t most_nodes = std::uint64_t{1} << 40;
  bool brief = false;  // ends early where it does not look as if so many nodes were enough
  std::function<bool()> stopped = {};  // called every few thousand nodes
};

struct TreeResult {
  enum End { complete, too_many, stopped } end = complete;
  std::vector<TreeState> best;  // none and complete: there is no solution
  std::uint64_t nodes = 0;
};

// The binary logarithm of how many states there are.
double states_log2(const TreeModel& model);

TreeResult search_tree(const TreeModel& model, const TreeOptions& options);

}  // namespace chainmail
