// Placement "packed": all couplings between two quads of consecutive spins meet on one copy of each
// quad, so a p-bit's neighbours come four at a time. The CPU's byte-shuffle tables read four
// neighbours in one look-up and run fastest on this; fan-in is even to within a quad.
#include <algorithm>
#include <map>

#include "embedding/placements.hpp"

namespace chainmail {

std::vector<Meeting> place_packed(std::span<const Coupling> graph, std::size_t spins,
                                  std::size_t copies) {
  const std::size_t quads = (spins + 3) / 4;
  std::vector<std::size_t> load(quads * copies, 0);
  const auto least_loaded = [&](std::size_t quad) {
    const auto first = load.begin() + static_cast<std::ptrdiff_t>(quad * copies);
    const auto lowest = std::min_element(first, first + static_cast<std::ptrdiff_t>(copies));
    ++*lowest;
    return static_cast<std::uint8_t>(lowest - first);
  };

  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::uint8_t, std::uint8_t>> chosen;
  std::vector<Meeting> meetings;
  meetings.reserve(graph.size());
  for (const Coupling& c : graph) {
    const std::pair quad_pair{c.i / 4UL, c.j / 4UL};
    auto place = chosen.find(quad_pair);
    if (place == chosen.end()) {
      const std::uint8_t a = least_loaded(quad_pair.first);
      const std::uint8_t b =
          quad_pair.second == quad_pair.first ? a : least_loaded(quad_pair.second);
      place = chosen.emplace(quad_pair, std::pair{a, b}).first;
    }
    meetings.push_back({c.i, c.j, place->second.first, place->second.second});
  }
  return meetings;
}

}  // namespace chainmail
