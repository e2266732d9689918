// A dense random problem in multiples of a unit.
#pragma once

#include "problem/problem.hpp"
#include "support/random.hpp"

namespace chainmail::test {

inline Problem random_problem(std::size_t spins, std::uint64_t seed, double unit) {
  Engine engine(seed);
  Problem problem;
  problem.objective = Quadratic(spins);
  const auto draw = [&] { return (static_cast<double>(engine() % 17) - 8.0) * unit; };
  for (std::uint32_t i = 0; i < spins; ++i) {
    problem.objective.fields[i] = draw();
    for (std::uint32_t j = i + 1; j < spins; ++j) {
      problem.objective.couplings.push_back({i, j, draw()});
    }
  }
  problem.objective.normalise();
  return problem;
}

}  // namespace chainmail::test
