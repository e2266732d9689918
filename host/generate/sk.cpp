// Sherrington-Kirkpatrick: a coupling of zero mean and unit variance between every two spins. They
// are not divided by sqrt(N), so that +1 and -1 stay whole; ground energies near -0.76 N^1.5.
#include <fmt/format.h>

#include "generate/kinds.hpp"
#include "problem/enumerate.hpp"

namespace chainmail {

Problem make_sk(const GenerateOptions& options) {
  const std::size_t n = required_n(options, "sk", 2, kMaxDense);
  Engine engine = engine_for(options);
  Problem problem;
  problem.name = fmt::format("sk{}-n{}-s{}", options.gaussian ? "-gaussian" : "", n, options.seed);
  problem.objective = Quadratic(n);
  problem.objective.couplings.reserve(n * (n - 1) / 2);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      problem.objective.couplings.push_back({i, j, random_coupling(engine, options.gaussian)});
    }
  }
  problem.objective.normalise();
  store_enumerated_optimum(problem);
  return problem;
}

}  // namespace chainmail
