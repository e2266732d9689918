// Quadratic functions in their normal form, and the optimum by enumeration against a plain search.
#include <catch2/catch.hpp>

#include "../states.hpp"
#include "problem/enumerate.hpp"
#include "problem/precision.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail {
namespace {

Quadratic random_quadratic(std::size_t spins, Engine& engine) {
  Quadratic q(spins);
  const auto value = [&] { return static_cast<double>(engine() % 9) - 4.0; };
  for (std::uint32_t i = 0; i < spins; ++i) {
    q.fields[i] = value();
    for (std::uint32_t j = i + 1; j < spins; ++j) q.couplings.push_back({i, j, value()});
  }
  return q;
}

}  // namespace

TEST_CASE("the normal form has the same values and no repeats, zeros or loops", "[problem]") {
  Engine engine(1);
  Quadratic q(5);
  for (int i = 0; i < 60; ++i) {
    const auto a = static_cast<std::uint32_t>(engine() % 5);
    const auto b = static_cast<std::uint32_t>(engine() % 5);
    q.couplings.push_back({a, b, static_cast<double>(engine() % 7) - 3.0});
  }
  q.couplings.push_back({4, 1, 2.5});
  q.couplings.push_back({1, 4, -2.5});
  Quadratic normal = q;
  normal.normalise();
  for (std::uint64_t number = 0; number < 32; ++number) {
    CHECK(normal(test::state_of(number, 5)) == Approx(q(test::state_of(number, 5))));
  }
  for (std::size_t k = 0; k < normal.couplings.size(); ++k) {
    const Coupling& c = normal.couplings[k];
    CHECK(c.i < c.j);
    CHECK(c.value != 0.0);
    if (k > 0)
      CHECK(std::pair(normal.couplings[k - 1].i, normal.couplings[k - 1].j) < std::pair(c.i, c.j));
  }
  Quadratic nothing(2);
  nothing.couplings = {{0, 1, 3.0}, {1, 0, -3.0}};
  nothing.normalise();
  CHECK(nothing.couplings.empty());
  Quadratic small(2);
  small.couplings = {{1, 0, 3e-5}, {0, 1, -2e-5}};
  small.normalise();
  REQUIRE(small.couplings.size() == 1);
  CHECK(small.couplings[0].value == Approx(1e-5));
}

TEST_CASE("enumeration finds the lowest feasible state", "[problem]") {
  Engine engine(2);
  for (int number = 0; number < 40; ++number) {
    Problem problem;
    problem.objective = random_quadratic(7, engine);
    // g = the square of a random sum of spins, shifted so that some states are feasible.
    Quadratic g(7);
    for (std::uint32_t i = 0; i < 7; ++i) {
      for (std::uint32_t j = 0; j < 7; ++j) g.couplings.push_back({i, j, -1.0});
    }
    for (double& field : g.fields) field = 2.0;
    g.offset = 1.0;  // (sum - 1)^2
    g.normalise();
    if (number % 2 == 1) problem.constraint = g;
    double best = 1e9;
    for (std::uint64_t s = 0; s < 128; ++s) {
      const std::vector<Spin> state = test::state_of(s, 7);
      const bool feasible = !problem.constraint || std::abs((*problem.constraint)(state)) < 1e-9;
      if (feasible) best = std::min(best, problem.objective(state));
    }
    const std::optional<Optimum> found = enumerate_optimum(problem);
    REQUIRE(found);
    CHECK(found->energy == Approx(best));
    CHECK(problem.objective(found->state) == Approx(best));
    if (problem.constraint) CHECK(std::abs((*problem.constraint)(found->state)) < 1e-9);
  }
}

TEST_CASE("a coupling of zero, out of order or repeated is refused", "[problem]") {
  Problem problem;
  problem.objective = Quadratic(3);
  problem.objective.couplings = {{0, 1, 1.0}, {0, 2, 1.0}};
  CHECK_NOTHROW(validate(problem, "here"));
  for (const std::vector<Coupling>& wrong :
       {std::vector<Coupling>{{0, 1, 0.0}}, std::vector<Coupling>{{0, 2, 1.0}, {0, 1, 1.0}},
        std::vector<Coupling>{{0, 1, 1.0}, {0, 1, 1.0}}, std::vector<Coupling>{{1, 0, 1.0}}}) {
    problem.objective.couplings = wrong;
    CHECK_THROWS_AS(validate(problem, "here"), InputError);
  }
}

TEST_CASE(
    "a value beside a huge constant counts as reached only where rounding cannot have done it") {
  Quadratic f(3);
  f.offset = -37220844291464.4;
  f.fields[0] = 0.999999999999;
  f.couplings = {{0, 1, 1e-12}};
  const Precision precision = precision_of(f);
  REQUIRE_FALSE(precision.exact());
  REQUIRE(precision.slack > 1e-6);
  const double limit = threshold(f, precision, Decimal(-37220844291465.5));
  CHECK(f(std::vector<Spin>{1, 1, 1}) > limit);  // exactly ...465.4
  CHECK(f(std::vector<Spin>{1, 1, 1}) <= threshold(f, precision, Decimal(-37220844291465.0)));
}

TEST_CASE("numbers that were rounded when they were read are exact nowhere") {
  Quadratic f(2);
  f.couplings = {{0, 1, 1.0}};
  CHECK(precision_of(f).exact());
  CHECK_FALSE(precision_of(f, true).exact());
}

}  // namespace chainmail
