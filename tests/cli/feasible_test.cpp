// No state is ever called feasible that enumeration calls infeasible: random constrained problems,
// small enough to visit every state, given as f and g and solved by the real program on the CPU and
// on kernels whose chains can break.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "problem/enumerate.hpp"
#include "problem/files.hpp"
#include "support/random.hpp"
#include "workplace.hpp"

using namespace chainmail;
using namespace chainmail::test;
using nlohmann::json;

namespace {

// weight * (sum a_i x_i - b)^2 with x = (1 + S) / 2, added to g.
void add_square(Quadratic& g, const std::vector<int>& a, int b, double weight) {
  double constant = -b;
  for (int value : a) constant += 0.5 * value;
  g.offset += weight * constant * constant;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    g.offset += weight * 0.25 * a[i] * a[i];
    g.fields[i] -= weight * constant * a[i];
    for (std::uint32_t j = i + 1; j < a.size(); ++j) {
      g.couplings.push_back({i, j, -weight * 0.5 * a[i] * a[j]});
    }
  }
}

// x_i x_j = 0.
void add_exclusion(Quadratic& g, std::uint32_t i, std::uint32_t j) {
  g.offset += 0.25;
  g.fields[i] -= 0.25;
  g.fields[j] -= 0.25;
  g.couplings.push_back({i, j, -0.25});
}

Problem random_problem(std::uint64_t seed, std::size_t most_spins) {
  Engine engine(hash_of(seed, {0xfea51b1e}));
  const auto draw = [&](int low, int high) {
    return low + static_cast<int>(engine() % static_cast<std::uint64_t>(high - low + 1));
  };
  Problem problem;
  const auto n = static_cast<std::size_t>(draw(3, static_cast<int>(most_spins)));
  problem.objective = Quadratic(n);
  Quadratic g(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    problem.objective.fields[i] = draw(-5, 5);
    for (std::uint32_t j = i + 1; j < n; ++j) {
      problem.objective.couplings.push_back({i, j, static_cast<double>(draw(-3, 3))});
    }
  }
  switch (draw(0, 2)) {
    case 0:  // cardinality
      add_square(g, std::vector<int>(n, 1), draw(0, static_cast<int>(n)), 1.0);
      break;
    case 1:  // one or two equations with whole coefficients, perhaps without a solution
      for (int count = draw(1, 2); count > 0; --count) {
        std::vector<int> a(n);
        for (int& value : a) value = draw(-2, 3);
        add_square(g, a, draw(-1, 4), draw(0, 1) == 0 ? 1.0 : 0.5);
      }
      break;
    default:  // pairs that exclude each other, and one of the first few
      for (std::uint32_t i = 0; i + 1 < n; ++i) {
        if (draw(0, 2) > 0)
          add_exclusion(
              g, i,
              static_cast<std::uint32_t>(draw(static_cast<int>(i) + 1, static_cast<int>(n) - 1)));
      }
      std::vector<int> few(n, 0);
      std::fill_n(few.begin(), n / 2 + 1, 1);
      add_square(g, few, 1, 1.0);
  }
  g.normalise();
  problem.objective.normalise();
  problem.constraint = std::move(g);
  return problem;
}

struct Tally {
  std::size_t runs = 0, refused = 0, solvable = 0, found = 0, false_feasible = 0;
};

void solve_one(std::uint64_t seed, const std::string& device, Tally& tally) {
  const Workplace place;
  const bool small = device.find("8x3") != std::string::npos;
  const Problem problem = random_problem(seed, small ? 8 : 10);
  const auto optimum = enumerate_optimum(problem);
  write_problem(place.path("p.json"), problem, Format::json);
  const auto outcome =
      place.run("solve p.json --device " + device +
                " --sweeps 400 --trials 2 --threads 1 --json - --seed " + std::to_string(seed));
  INFO("problem " << seed << " on " << device << ": " << outcome.errors);
  ++tally.runs;
  if (outcome.code == 1) {  // couplings that do not fit a kernel's tables
    CHECK_THAT(outcome.errors, Catch::Contains("needs tables of"));
    ++tally.refused;
    return;
  }
  REQUIRE((outcome.code == 0 || outcome.code == 4));
  const json result = json::parse(outcome.output);
  std::vector<Spin> solution;
  for (int spin : result.at("solution")) solution.push_back(static_cast<Spin>(spin));
  const bool really = (*problem.constraint)(solution) <= kFeasible;
  const bool called = result.at("feasible");
  CHECK(called == (outcome.code == 0));
  CHECK(result.at("energy").get<double>() == Approx(problem.objective(solution)).margin(1e-9));
  if (called && !really) ++tally.false_feasible;
  CHECK((!called || really));
  CHECK((optimum.has_value() || !called));
  if (!optimum) return;
  ++tally.solvable;
  if (called) {
    ++tally.found;
    CHECK(result.at("energy").get<double>() >= optimum->energy - 1e-9);
  }
}

void solve_many(std::uint64_t first, std::uint64_t count) {
  std::vector<std::string> devices = {"cpu", "hls:16x2", "hls:8x3"};
  if (const char* more = std::getenv("CHAINMAIL_DEVICE")) devices = {more};
  for (const std::string& device : devices) {
    Tally tally;
    for (std::uint64_t seed = first; seed < first + count; ++seed) solve_one(seed, device, tally);
    WARN(device << ": " << tally.runs << " problems, " << tally.refused << " refused, "
                << tally.solvable << " of the others have a solution, " << tally.found
                << " were solved, " << tally.false_feasible << " wrongly called so");
    CHECK(tally.refused * 5 <= tally.runs);
    CHECK(tally.found * 10 >= tally.solvable * 9);
  }
}

}  // namespace

TEST_CASE("no infeasible state is called feasible on any device") {
  solve_many(1, 12);
}

TEST_CASE("no infeasible state is called feasible in a thousand problems", "[.]") {
  solve_many(1, 1000);
}
