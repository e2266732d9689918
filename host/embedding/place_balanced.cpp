// Placement "balanced": couplings in random order, each end on the copy that has fewest so far
// (ties at random). Fan-in is even, the graph needs more than two colours.
#include <algorithm>
#include <numeric>

#include "embedding/placements.hpp"
#include "support/random.hpp"

namespace chainmail {

std::vector<Meeting> place_balanced(std::span<const Coupling> graph, std::size_t spins,
                                    std::size_t copies, std::uint64_t seed) {
  Engine engine(hash_of(seed, {0x62616c}));
  std::vector<std::size_t> order(graph.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t last = order.size(); last > 1; --last) {
    std::swap(order[last - 1], order[below(last, engine)]);
  }

  std::vector<std::size_t> load(spins * copies, 0);
  const auto least_loaded = [&](std::uint32_t spin) {
    const auto first = load.begin() + static_cast<std::ptrdiff_t>(spin * copies);
    const auto last = first + static_cast<std::ptrdiff_t>(copies);
    const std::size_t lowest = *std::min_element(first, last);
    const auto ties = static_cast<std::size_t>(std::count(first, last, lowest));
    std::size_t skip = below(ties, engine);
    std::size_t copy = 0;
    while (first[static_cast<std::ptrdiff_t>(copy)] != lowest || skip-- > 0) ++copy;
    ++first[static_cast<std::ptrdiff_t>(copy)];
    return static_cast<std::uint8_t>(copy);
  };

  std::vector<Meeting> meetings(graph.size());
  for (std::size_t e : order) {
    const std::uint8_t a = least_loaded(graph[e].i);
    const std::uint8_t b = least_loaded(graph[e].j);
    meetings[e] = {graph[e].i, graph[e].j, a, b};
  }
  return meetings;
}

}  // namespace chainmail
