#include "problem/max_cut.hpp"

#include <utility>

namespace chainmail {

Problem max_cut(std::size_t vertices, std::vector<Coupling> edges) {
  double total = 0.0;
  for (Coupling& edge : edges) {
    total += edge.value;
    edge.value = -edge.value;
  }
  Problem problem;
  problem.objective = Quadratic(vertices);
  problem.objective.couplings = std::move(edges);
  problem.user = {"cut", -0.5, total / 2.0};
  return problem;
}

}  // namespace chainmail
