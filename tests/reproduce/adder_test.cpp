// The divergence of Fig. 2 against enumeration: of the estimator itself, and of what a replica at
// a small penalty really samples.
#include <catch2/catch.hpp>
#include <cmath>

#include "generate/generate.hpp"
#include "reproduce/adder_chains.hpp"
#include "reproduce/statistics.hpp"
#include "support/random.hpp"

using namespace chainmail;
using namespace chainmail::reproduce;

namespace {

// The distribution of the first copies at a penalty, by enumerating all p-bits.
std::vector<double> marginal(const Embedding& embedding, double penalty) {
  Quadratic energy = embedding.model.f;
  for (const Coupling& c : embedding.model.g.couplings) {
    energy.couplings.push_back({c.i, c.j, penalty * c.value});
  }
  energy.normalise();
  const std::vector<double> physical = boltzmann(energy, 1.0);
  std::vector<double> logical(std::size_t{1} << embedding.logical, 0.0);
  for (std::size_t state = 0; state < physical.size(); ++state) {
    logical[state & (logical.size() - 1)] += physical[state];  // copy 0 is the lowest bits
  }
  return logical;
}

}  // namespace

TEST_CASE("Boltzmann by enumeration: the full adder's levels") {
  const Problem problem = generate("full-adder", {});
  const std::vector<double> p = boltzmann(problem.objective, 1.0);
  REQUIRE(p.size() == 32);
  // Levels -4 (8 states), -2 (14), 4 (8), 14 (2).
  const double z =
      8 * std::exp(4.0) + 14 * std::exp(2.0) + 8 * std::exp(-4.0) + 2 * std::exp(-14.0);
  int ground = 0;
  double sum = 0.0;
  for (double x : p) {
    ground += x == Approx(std::exp(4.0) / z) ? 1 : 0;
    sum += x;
  }
  CHECK(ground == 8);
  CHECK(sum == Approx(1.0));
}

TEST_CASE("KL of a histogram: zero for the distribution itself, (k - 1) / (2 t) for samples") {
  const std::vector<double> quarter(4, 0.25);
  CHECK(kl_divergence(std::vector<std::uint64_t>{5, 5, 5, 5}, quarter) ==
        Approx(0.0).margin(1e-15));
  CHECK(kl_divergence(std::vector<std::uint64_t>{7, 0, 0, 0}, quarter) == Approx(std::log(4.0)));
  Engine engine(1);
  std::vector<double> values;
  const std::size_t states = 32, samples = 2000;
  for (int draw = 0; draw < 400; ++draw) {
    std::vector<std::uint64_t> histogram(states, 0);
    for (std::size_t s = 0; s < samples; ++s) ++histogram[engine() % states];
    values.push_back(kl_divergence(histogram, std::vector<double>(states, 1.0 / states)));
  }
  const Estimate mean = mean_of(values);
  const double expected = (states - 1.0) / (2.0 * samples);
  // 2.75 half widths are 5.4 sigma: 1e-7. The next order, 1/t^2, is below 1 %.
  CHECK(std::abs(mean.value - expected) < 0.01 * expected + 2.75 * 0.5 * (mean.high - mean.low));
}

TEST_CASE("chains at P = 2 level off where enumeration says, with swaps and without") {
  const Problem problem = generate("full-adder", {});
  const Embedding embedding = embed(problem, 2, Placement::packed);
  const std::vector<double> exact = boltzmann(problem.objective, 1.0);
  const std::vector<double> sampled = marginal(embedding, 2.0);
  double plateau = 0.0;
  for (std::size_t s = 0; s < exact.size(); ++s) {
    plateau += sampled[s] * std::log(sampled[s] / exact[s]);
  }
  const std::atomic<bool> stop{false};
  const auto device = make_device({"cpu", 1, "auto"});
  for (bool swaps : {true, false}) {
    AdderOptions options;
    options.chains = 16;
    options.times = {500, 400'000};
    options.swaps = swaps;
    const AdderCurves curves = run_adder_chains(problem, embedding, *device, options, stop);
    REQUIRE(curves.size() == 16);
    std::vector<double> values;
    for (const auto& chain : curves) {
      REQUIRE(chain.size() == 4);
      REQUIRE(chain[0].size() == 2);
      values.push_back(chain[0][1]);
    }
    const Estimate mean = mean_of(values);
    // 800 samples leave a bias of 31 / 1600 at least, and at most as much again for correlation.
    const double bias = 31.0 / (2.0 * 800);
    INFO("KL " << mean.value << ", plateau " << plateau << ", half width "
               << mean.high - mean.value);
    // 3.3 half widths (Student, 15 degrees) are 7 sigma: below 1e-5.
    const double margin = 3.3 * (mean.high - mean.value);
    CHECK(mean.value > plateau + 0.5 * bias - margin);
    CHECK(mean.value < plateau + 2.0 * bias + margin);
  }
}

TEST_CASE("P-swaps bring the rigid replica nearer, and a stop ends the run") {
  const Problem problem = generate("full-adder", {});
  const Embedding embedding = embed(problem, 2, Placement::packed);
  const auto device = make_device({"cpu", 1, "auto"});
  std::atomic<bool> stop{false};
  AdderOptions options;
  options.chains = 16;
  options.times = {64'000};
  double with_swaps = 0.0, without = 0.0;
  for (bool swaps : {true, false}) {
    options.swaps = swaps;
    for (const auto& chain : run_adder_chains(problem, embedding, *device, options, stop)) {
      (swaps ? with_swaps : without) += chain[3][0] / 16.0;
    }
  }
  CHECK(with_swaps < 0.5 * without);  // 0.19 against 2.9 in 100 chains
  stop = true;
  CHECK(run_adder_chains(problem, embedding, *device, options, stop)[0][0].empty());
}
