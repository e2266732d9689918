// Graph colouring by DSATUR (Brélaz 1979): always colour the spin whose neighbours already show
// most colours. Exact on bipartite graphs, which is what lattices and "alt" placements are.
#include <queue>
#include <tuple>

#include "embedding/embedding.hpp"

namespace chainmail {

std::vector<std::uint32_t> colour_graph(const PhysicalModel& model) {
  const std::size_t count = model.f.size();
  std::vector<std::vector<std::uint32_t>> rows(count);
  for (const Quadratic* q : {&model.f, &model.g}) {
    for (const Coupling& c : q->couplings) {
      rows[c.i].push_back(c.j);
      rows[c.j].push_back(c.i);
    }
  }

  struct Candidate {
    std::size_t saturation, degree;
    std::uint32_t spin;
    bool operator<(const Candidate& other) const {
      return std::tuple(saturation, degree, other.spin) <
             std::tuple(other.saturation, other.degree, spin);
    }
  };
  std::vector<std::uint32_t> colour(count, kNone);
  std::vector<std::vector<bool>> seen(count);  // colours among the neighbours
  std::vector<std::size_t> saturation(count, 0);
  std::priority_queue<Candidate> queue;
  for (std::uint32_t spin = 0; spin < count; ++spin) queue.push({0, rows[spin].size(), spin});

  while (!queue.empty()) {
    const Candidate top = queue.top();
    queue.pop();
    if (colour[top.spin] != kNone || top.saturation != saturation[top.spin]) continue;  // outdated
    std::uint32_t free = 0;
    while (free < seen[top.spin].size() && seen[top.spin][free]) ++free;
    colour[top.spin] = free;
    for (std::uint32_t other : rows[top.spin]) {
      if (colour[other] != kNone) continue;
      if (seen[other].size() <= free) seen[other].resize(free + 1, false);
      if (seen[other][free]) continue;
      seen[other][free] = true;
      queue.push({++saturation[other], rows[other].size(), other});
    }
  }
  return colour;
}

}  // namespace chainmail
