// Problems in spins that are solved exactly, against all their states.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "../states.hpp"
#include "exact/exact.hpp"
#include "exact/settle.hpp"
#include "problem/bits.hpp"
#include "support/random.hpp"

namespace chainmail {
namespace {

// Of one to three parts; whole couplings, so that sums in double are exact.
Problem random_problem(Engine& engine) {
  const auto spins = static_cast<std::uint32_t>(1 + engine() % 12);
  const auto parts = static_cast<std::uint32_t>(1 + engine() % 3);
  const double density = unit_interval(engine());
  const bool fields = engine() % 2 == 0;
  const double unit = engine() % 4 == 0 ? 0.375 : 1.0;
  const auto value = [&] { return unit * (static_cast<double>(engine() % 9) - 4.0); };
  Problem problem;
  Quadratic& f = problem.objective = Quadratic(spins);
  f.offset = engine() % 2 == 0 ? 1e9 : 0.0;
  for (std::uint32_t i = 0; i < spins; ++i) {
    if (fields) f.fields[i] = value();
    for (std::uint32_t j = i + 1; j < spins; ++j) {
      if (i % parts == j % parts && unit_interval(engine()) < density) {
        f.couplings.push_back({i, j, value()});
      }
    }
  }
  f.normalise();
  if (engine() % 3 == 0) {  // the square of a sum of some spins, less a number
    Quadratic g(spins);
    std::vector<double> a(spins);
    for (double& c : a) c = static_cast<double>(engine() % 3);
    const double b = static_cast<double>(engine() % 5) - 2.0;
    g.offset = b * b;
    for (std::uint32_t i = 0; i < spins; ++i) {
      g.offset += a[i] * a[i];
      g.fields[i] = 2.0 * a[i] * b;
      for (std::uint32_t j = i + 1; j < spins; ++j)
        g.couplings.push_back({i, j, -2.0 * a[i] * a[j]});
    }
    g.normalise();
    problem.constraint = std::move(g);
  }
  return problem;
}

struct Listed {
  double energy;
  std::vector<Bit> bits;
  bool operator<(const Listed& o) const {
    return energy != o.energy ? energy < o.energy : bits < o.bits;
  }
};

std::vector<Listed> all_feasible(const Problem& problem) {
  std::vector<Listed> all;
  for (std::uint64_t s = 0; s < 1ULL << problem.size(); ++s) {
    const std::vector<Spin> spins = test::state_of(s, problem.size());
    if (problem.constraint && (*problem.constraint)(spins) != 0.0) continue;
    all.push_back({problem.objective(spins), bits_of(spins)});
  }
  std::sort(all.begin(), all.end());
  return all;
}

void check_against_enumeration(int problems, std::uint64_t seed) {
  Engine engine(seed);
  int without = 0;
  for (int number = 0; number < problems; ++number) {
    INFO("problem " << number);
    const Problem problem = random_problem(engine);
    const std::vector<Listed> all = all_feasible(problem);
    const bool connected = parts_of(*tree_model(problem)).size() == 1;
    ExactOptions options;
    options.keep = number % 2 == 0 ? 1 : 1 + engine() % 20;
    // Half of those without a constraint by all that settles spins.
    const bool settled = options.keep == 1 && !problem.constraint && number % 4 == 0;
    const auto answer = settled ? settle(problem, options).answer : solve_exactly(problem, options);
    REQUIRE(answer);
    REQUIRE(answer->proved);
    REQUIRE(answer->slack == 0.0);
    REQUIRE(answer->states.size() == std::min(options.keep, all.size()));
    without += all.empty() ? 1 : 0;
    std::vector<std::vector<Bit>> seen;
    for (std::size_t k = 0; k < answer->states.size(); ++k) {
      const std::vector<Spin> spins = spins_of(answer->states[k]);
      REQUIRE(problem.objective(spins) == all[k].energy);
      REQUIRE((!problem.constraint || (*problem.constraint)(spins) == 0.0));
      seen.push_back(answer->states[k]);
      // Of states as good as each other those with lesser bits come first, part by part.
      if (connected && options.keep > 1) REQUIRE(answer->states[k] == all[k].bits);
    }
    std::sort(seen.begin(), seen.end());
    REQUIRE(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  }
  CHECK(without > problems / 50);
}

}  // namespace

TEST_CASE("small problems in spins are solved as by looking at every state", "[exact]") {
  check_against_enumeration(400, 11);
}

TEST_CASE("ten thousand small problems in spins are solved exactly", "[.]") {
  check_against_enumeration(10000, 12);
}

namespace {

// All couplings can be satisfied, or none need to, or those of the first half can, which has fields
// and is joined to the others by few couplings.
Problem random_part(Engine& engine, int kind) {
  const auto spins = static_cast<std::uint32_t>(kind == 2 ? 10 : 4 + engine() % 8);
  const auto up_to = [&](std::uint64_t most) { return 1.0 + static_cast<double>(engine() % most); };
  const std::uint64_t fields = engine() % 8;
  Problem problem;
  Quadratic& f = problem.objective = Quadratic(spins);
  std::vector<Spin> turned(spins);
  for (Spin& s : turned) s = engine() % 2 == 0 ? 1 : -1;
  for (std::uint32_t i = 0; i < spins; ++i) {
    const bool first = i < spins / 2;
    f.fields[i] = static_cast<double>(engine() % (2 * fields + 1)) - static_cast<double>(fields);
    if (kind == 2) f.fields[i] = first ? turned[i] * up_to(3) : 0.0;
    for (std::uint32_t j = i + 1; j < spins; ++j) {
      const bool across = first && j >= spins / 2;
      if (engine() % 4 < (kind != 2 ? 1 : across ? 3 : 0)) continue;
      const bool easy = kind == 0 || (kind == 2 && first && !across);
      const double sign = easy ? turned[i] * turned[j] : engine() % 2 == 0 ? 1.0 : -1.0;
      f.couplings.push_back({i, j, sign * (easy ? 1.0 + up_to(2) : up_to(2))});
    }
  }
  return problem;
}

// Without trees: what is not removed, cut or settled by roof duality is left.
void check_settled(int problems, std::uint64_t seed) {
  Engine engine(seed);
  int solved = 0, settled = 0, partly = 0;
  for (int number = 0; number < problems; ++number) {
    CAPTURE(number);
    const Problem problem = random_part(engine, number % 3);
    ExactOptions options;
    options.small = 1;
    const Settled found = settle(problem, options);
    const double optimum = all_feasible(problem).front().energy;
    if (found.answer) {
      ++solved;
      REQUIRE(problem.objective(spins_of(found.answer->states.front())) == optimum);
      REQUIRE(found.answer->slack == 0.0);
    } else if (found.reduction) {
      ++settled;
      const std::optional<Reduction> plain = Reduction::of(problem);
      partly += !plain || plain->problem().size() > found.reduction->problem().size() ? 1 : 0;
      const Problem& rest = found.reduction->problem();
      REQUIRE(rest.size() >= 1);
      REQUIRE(rest.size() < problem.size());
      for (const Listed& state : all_feasible(rest)) {
        const std::vector<Spin> full = found.reduction->lift(spins_of(state.bits));
        REQUIRE(problem.objective(full) == state.energy);
      }
      REQUIRE(all_feasible(rest).front().energy == optimum);
    }
  }
  CHECK(solved > problems / 4);
  CHECK(settled > problems / 20);
  CHECK(partly > problems / 20);
}

}  // namespace

TEST_CASE("cuts and roof duality settle spins as they stand in an optimum", "[exact]") {
  check_settled(400, 41);
}

TEST_CASE("ten thousand small problems are settled exactly", "[.]") {
  check_settled(10000, 42);
}

TEST_CASE("a ferromagnet in real fields is solved to within rounding, and says so", "[exact]") {
  Engine engine(7);
  Problem problem;
  Quadratic& f = problem.objective = Quadratic(12);
  for (std::uint32_t i = 0; i < 12; ++i) {
    f.fields[i] = 4.0 * unit_interval(engine()) - 2.0;
    for (std::uint32_t j = i + 1; j < 12; ++j) {
      f.couplings.push_back({i, j, 1e-9 + 0.3 * unit_interval(engine())});
    }
  }
  f.fields[0] = 1e-30;
  ExactOptions options;
  options.small = 1;
  const Settled found = settle(problem, options);
  REQUIRE(found.answer);
  CHECK(found.answer->slack > 0.0);
  CHECK(found.answer->slack < 1e-12);
  CHECK(problem.objective(spins_of(found.answer->states.front())) <=
        all_feasible(problem).front().energy + found.answer->slack);
}

TEST_CASE("couplings of any size are compared without rounding", "[exact]") {
  // The two best states differ by 2^-60 of the largest coupling.
  Problem problem;
  problem.objective = Quadratic(3);
  problem.objective.fields = {0x1.0p60, 1.0, 0.0};
  problem.objective.couplings = {{1, 2, 2.0}};
  const auto answer = solve_exactly(problem, {});
  REQUIRE(answer);
  CHECK(answer->states.front() == std::vector<Bit>{1, 1, 1});
  // What does not fit into whole numbers is not called proved.
  problem.objective.fields[2] = 0x1.0p-80;
  CHECK_FALSE(solve_exactly(problem, {}));
}

TEST_CASE("what is stopped is not called proved", "[exact]") {
  Engine engine(3);
  Problem problem;
  problem.objective = Quadratic(24);
  for (std::uint32_t i = 0; i < 24; ++i) {
    for (std::uint32_t j = i + 1; j < 24; ++j) {
      problem.objective.couplings.push_back({i, j, engine() % 2 == 0 ? 1.0 : -1.0});
    }
  }
  ExactOptions options;
  options.stopped = [] { return true; };
  const auto answer = solve_exactly(problem, options);
  REQUIRE(answer);
  CHECK_FALSE(answer->proved);
  CHECK(answer->states.size() == 1);
}

}  // namespace chainmail
