// The cheapest cut between two terminals, by Boykov and Kolmogorov's augmenting paths (2004).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace chainmail {

// Costs `capacity` when its ends are on different sides, whichever they are.
struct CutEdge {
  std::uint32_t a, b;
  std::int64_t capacity;
};

struct Cut {
  std::int64_t value = 0;
  // By node: whether the source still reaches it. This is the smallest set of nodes with a minimum
  // cut.
  std::vector<char> with_source;
};

// terminal[i] > 0: the cost of separating node i from the source, < 0: from the sink. Sums must fit
// 62 bits.
Cut min_cut(std::span<const std::int64_t> terminal, std::span<const CutEdge> edges);

}  // namespace chainmail
