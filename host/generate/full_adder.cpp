// The full adder A + B + Cin = S + 2 Cout as an energy: (A + B + Cin - S - 2 Cout)^2 / 2 - 4 in
// spins, which is zero-field and lowest (-4) exactly on the eight rows of the truth table.
#include <array>

#include "generate/kinds.hpp"
#include "problem/enumerate.hpp"

namespace chainmail {

Problem make_full_adder(const GenerateOptions& options) {
  constexpr std::array<double, 5> kWeights = {1.0, 1.0, 1.0, -1.0, -2.0};
  if (options.n) required_n(options, "full-adder", kWeights.size(), kWeights.size());
  Problem problem;
  problem.name = "full-adder";
  problem.names = {"A", "B", "Cin", "S", "Cout"};
  problem.objective = Quadratic(kWeights.size());
  for (std::uint32_t i = 0; i < kWeights.size(); ++i) {
    for (std::uint32_t j = i + 1; j < kWeights.size(); ++j) {
      problem.objective.couplings.push_back({i, j, -kWeights[i] * kWeights[j]});
    }
  }
  store_enumerated_optimum(problem);
  return problem;
}

}  // namespace chainmail
