// Edwards-Anderson: random couplings between neighbours on an L x L x L periodic lattice, spin
// x + L (y + L z). On L = 2 the neighbours left and right are one and the same, and so is the
// coupling: a cube with 12 edges, not 24.
#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "generate/kinds.hpp"
#include "problem/enumerate.hpp"

namespace chainmail {

Problem make_ea3d(const GenerateOptions& options) {
  const std::size_t side = required_n(options, "ea3d", 2, 100);
  const std::size_t spins = side * side * side;
  Engine engine = engine_for(options);
  Problem problem;
  problem.name =
      fmt::format("ea3d{}-l{}-s{}", options.gaussian ? "-gaussian" : "", side, options.seed);
  problem.objective = Quadratic(spins);
  const std::array<std::size_t, 3> strides = {1, side, side * side};
  for (std::size_t spin = 0; spin < spins; ++spin) {
    for (const std::size_t stride : strides) {
      const std::size_t position = spin / stride % side;
      const bool wraps = position + 1 == side;
      if (wraps && side == 2) continue;
      const std::size_t next = wraps ? spin - position * stride : spin + stride;
      problem.objective.couplings.push_back({static_cast<std::uint32_t>(spin),
                                             static_cast<std::uint32_t>(next),
                                             random_coupling(engine, options.gaussian)});
    }
  }
  problem.objective.normalise();
  store_enumerated_optimum(problem);
  return problem;
}

}  // namespace chainmail
