// The benchmark's baseline is a sampler too: means of a small model against enumeration.
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "device/cpu/scalar_reference.hpp"
#include "reference.hpp"

using namespace chainmail;
using namespace chainmail::test;

TEST_CASE("the scalar yardstick samples the Boltzmann distribution", "[device][boltzmann]") {
  constexpr std::size_t kPbits = 6, kReplicas = 4000;
  const PhysicalModel model = random_model(kPbits, 0.8, 0, true, true, 41);
  for (const Parameters parameters : {Parameters{0.0, 0.0}, {0.3, 0.4}, {0.9, 0.2}}) {
    // Magnetisation, a number of independent replicas, by enumeration: mean and variance.
    const std::vector<double> exact = boltzmann(model, parameters);
    double mean = 0.0, square = 0.0;
    for (std::uint64_t state = 0; state < exact.size(); ++state) {
      const std::vector<Spin> spins = state_of(state, kPbits);
      const double m = std::accumulate(spins.begin(), spins.end(), 0.0);
      mean += exact[state] * m;
      square += exact[state] * m * m;
    }
    ScalarReference reference(model, kReplicas, 17);
    CHECK(reference.magnetisation() == static_cast<std::int64_t>(kPbits * kReplicas));  // all up
    const std::vector<Parameters> all(kReplicas, parameters);
    // One draw after a burn-in; 5.5 sigma leave 4e-8 of false alarms a case.
    reference.run(all, 60);
    const double found = static_cast<double>(reference.magnetisation()) / kReplicas;
    const double sigma = std::sqrt((square - mean * mean) / kReplicas);
    INFO("beta " << parameters.beta << ": " << found << ", exact " << mean << " +- " << sigma);
    CHECK(std::abs(found - mean) < 5.5 * sigma);
  }
}
