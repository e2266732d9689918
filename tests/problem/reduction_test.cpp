// Spins are removed exactly: every state of the rest has the energy of the best full state that
// extends it, by enumeration, and lifting finds that state.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "../states.hpp"
#include "problem/enumerate.hpp"
#include "problem/reduction.hpp"
#include "support/random.hpp"

namespace chainmail {
namespace {

// About `degree` neighbours a spin, whole or real couplings, fields at one spin in `fields`.
Problem random_problem(Engine& engine, std::uint32_t spins, double degree, bool whole,
                       std::uint64_t fields) {
  const auto value = [&] {
    const double sign = engine() % 2 == 0 ? 1.0 : -1.0;
    if (!whole) return sign * std::exp(8.0 * unit_interval(engine()) - 4.0);
    return sign * (1.0 + static_cast<double>(engine() % 3));
  };
  Problem problem;
  Quadratic& f = problem.objective;
  f = Quadratic(spins);
  f.offset = 0.5;
  for (std::uint32_t i = 0; i < spins; ++i) {
    if (fields > 0 && engine() % fields == 0) f.fields[i] = value();
    for (std::uint32_t j = i + 1; j < spins; ++j) {
      if (unit_interval(engine()) < degree / spins) f.couplings.push_back({i, j, value()});
    }
  }
  return problem;
}

}  // namespace

TEST_CASE("a reduced state has the energy of the best full state above it", "[problem]") {
  Engine engine(5);
  std::size_t taken = 0, stayed = 0;
  for (int number = 0; number < 200; ++number) {
    const auto spins = static_cast<std::uint32_t>(2 + engine() % 11);
    const Problem full = random_problem(engine, spins, 1.0 + static_cast<double>(number % 7),
                                        number % 2 == 0, number % 3);
    const auto reduction = Reduction::of(full);
    if (!reduction) continue;
    const Problem& reduced = reduction->problem();
    taken += full.size() - reduced.size();
    stayed += reduced.size() > 1 ? 1 : 0;
    std::map<std::vector<Spin>, double> lowest;
    for (std::uint64_t s = 0; s < 1ULL << spins; ++s) {
      const std::vector<Spin> state = test::state_of(s, spins);
      const auto [at, fresh] =
          lowest.try_emplace(reduction->restrict(state), std::numeric_limits<double>::infinity());
      at->second = std::min(at->second, full.objective(state));
    }
    REQUIRE(lowest.size() == 1ULL << reduced.size());
    for (const auto& [kept, energy] : lowest) {
      CHECK(reduced.objective(kept) == Approx(energy).margin(1e-9));
      const std::vector<Spin> lifted = reduction->lift(kept);
      CHECK(reduction->restrict(lifted) == kept);
      CHECK(full.objective(lifted) == Approx(energy).margin(1e-9));
    }
    for (std::uint32_t degree : [&] {
           std::vector<std::uint32_t> degrees(reduced.size(), 0);
           for (const Coupling& c : reduced.objective.couplings) ++degrees[c.i], ++degrees[c.j];
           return degrees;
         }()) {
      if (reduced.size() > 1) CHECK(degree >= 3);
    }
  }
  CHECK(taken > 500);  // both kinds came up
  CHECK(stayed > 10);
}

TEST_CASE("a tree is solved by taking it apart", "[problem]") {
  Engine engine(6);
  int up = 0, down = 0;  // the spin that is left
  for (int number = 0; number < 20; ++number) {
    Problem tree;
    tree.objective = Quadratic(14);
    for (std::uint32_t i = 0; i < 14; ++i) {
      tree.objective.fields[i] = static_cast<double>(engine() % 7) - 3.0;
      if (i == 0) continue;
      tree.objective.couplings.push_back(
          {static_cast<std::uint32_t>(engine() % i), i, 1.0 + static_cast<double>(engine() % 5)});
    }
    tree.objective.normalise();
    const auto reduction = Reduction::of(tree);
    REQUIRE(reduction);
    REQUIRE(reduction->problem().size() == 1);
    const double optimum = enumerate_optimum(tree)->energy;
    CHECK(reduction->problem().known_optimum == Approx(optimum));
    const double field = reduction->problem().objective.fields[0];
    ++(field < 0.0 ? down : up);
    const std::vector<Spin> last{field < 0.0 ? Spin{-1} : Spin{1}};
    CHECK(tree.objective(reduction->lift(last)) == Approx(optimum));
  }
  CHECK((up > 2 && down > 2));
}

TEST_CASE("nothing is taken out of a dense problem, nor of a constrained one", "[problem]") {
  const auto equal_sizes = [](std::uint32_t spins) {
    Problem problem;
    problem.objective = Quadratic(spins);
    for (std::uint32_t i = 0; i < spins; ++i) {
      for (std::uint32_t j = i + 1; j < spins; ++j)
        problem.objective.couplings.push_back({i, j, 1.0});
    }
    return problem;
  };
  Engine engine(7);
  CHECK_FALSE(Reduction::of(equal_sizes(12)));
  Problem chain = random_problem(engine, 12, 2.0, true, 0);
  CHECK(Reduction::of(chain));
  chain.constraint = Quadratic(12);
  CHECK_FALSE(Reduction::of(chain));
}

// A hub with a hundred thousand leaves: removed couplings must not be read again and again.
TEST_CASE("a star of many leaves is taken apart at once", "[problem]") {
  constexpr std::uint32_t kSpins = 100'000;
  Problem star;
  star.objective = Quadratic(kSpins);
  for (std::uint32_t i = 1; i < kSpins; ++i) star.objective.couplings.push_back({0, i, 1.0});
  const auto reduction = Reduction::of(star);
  REQUIRE(reduction);
  REQUIRE(reduction->problem().size() == 1);
  CHECK(reduction->problem().known_optimum == 1.0 - kSpins);
}

}  // namespace chainmail
