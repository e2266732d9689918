// Slack bits follow from the user's variables, and a chain weighs more than breaking it could gain.
#include <catch2/catch.hpp>

#include "embedding/embedding.hpp"
#include "squares/slack.hpp"

namespace chainmail {
namespace {

// x0 + 2 x1 + s = limit with slack bits worth 1 and 2: r as a function of four spins.
Embedding with_limit(double limit) {
  Embedding embedding;
  embedding.logical = 4;
  embedding.model.f = Quadratic(4);
  embedding.model.g = Quadratic(4);
  Residual r;
  r.terms = {{0, 0.5}, {1, 1.0}, {2, 0.5}, {3, 1.0}};
  r.offset = 3.0 - limit;
  r.weight = 1.0;
  r.slack = 2;
  embedding.residuals = {r};
  return embedding;
}

}  // namespace

TEST_CASE("slack is set so that the sum is met wherever that is possible", "[embedding]") {
  for (const double limit : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
    const Embedding embedding = with_limit(limit);
    const SlackSetter setter(embedding);
    REQUIRE(setter.any());
    for (unsigned number = 0; number < 16; ++number) {
      std::vector<Spin> spins(4);
      for (unsigned i = 0; i < 4; ++i) spins[i] = (number >> i & 1) != 0 ? 1 : -1;
      const double sum = (number & 1) + (number & 2);
      const bool possible = limit - sum >= 0.0 && limit - sum <= 3.0;
      const double r = embedding.residuals[0](spins);
      INFO("limit " << limit << ", state " << number);
      CHECK(setter.feasible_f(spins, 7.0, r * r).has_value() == possible);
      if (!possible) continue;
      setter.set(spins);
      CHECK(embedding.residuals[0](spins) == Approx(0.0).margin(1e-12));
      CHECK((number & 3) == static_cast<unsigned>((spins[0] > 0 ? 1 : 0) + (spins[1] > 0 ? 2 : 0)));
    }
  }
}

TEST_CASE("a multiplier adds that much of the residual to f", "[embedding]") {
  const Embedding plain = with_limit(4.0);
  const Embedding tilted = with_multipliers(plain, {0.75});
  for (unsigned number = 0; number < 16; ++number) {
    std::vector<Spin> spins(4);
    for (unsigned i = 0; i < 4; ++i) spins[i] = (number >> i & 1) != 0 ? 1 : -1;
    CHECK(tilted.model.f(spins) - plain.model.f(spins) == 0.75 * plain.residuals[0](spins));
  }
}

TEST_CASE("chains weigh one more than all their spin has in the constraint", "[embedding]") {
  Problem problem;
  problem.objective = Quadratic(3);
  Quadratic g(3);
  g.couplings = {{0, 1, 2.0}, {1, 2, -4.0}};
  g.fields = {3.0, 0.0, -0.5};
  problem.constraint = g;
  const Embedding embedding = embed(problem, 2, Placement::alt, 1);
  const double expected[] = {1.0 + 2.0 + 3.0, 1.0 + 2.0 + 4.0, 1.0 + 4.0 + 0.5};
  for (std::size_t spin = 0; spin < 3; ++spin) {
    double weight = 0.0;
    for (const Coupling& c : embedding.model.g.couplings) {
      if (c.i == embedding.pbit(spin, 0) && c.j == embedding.pbit(spin, 1)) weight += c.value;
    }
    CHECK(weight == Approx(expected[spin]));
  }
}

}  // namespace chainmail
