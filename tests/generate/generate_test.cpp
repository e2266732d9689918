// Generated problems are what their kind promises, checked by brute force.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "../states.hpp"
#include "generate/generate.hpp"
#include "generate/models.hpp"
#include "problem/enumerate.hpp"
#include "problem/files.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

GenerateOptions sized(std::size_t n, std::uint64_t seed = 1) {
  GenerateOptions options;
  options.n = n;
  options.seed = seed;
  return options;
}

bool all_whole(const Problem& p) {
  for (const Coupling& c : p.objective.couplings) {
    if (c.value != std::round(c.value)) return false;
  }
  return true;
}

std::vector<std::size_t> degrees(const Problem& p) {
  std::vector<std::size_t> degree(p.size());
  for (const Coupling& c : p.objective.couplings) {
    ++degree[c.i];
    ++degree[c.j];
  }
  return degree;
}

std::string complaint(const std::string& kind, const GenerateOptions& options) {
  try {
    generate(kind, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("The same seed gives the same problem, another seed another one") {
  for (const Kind& kind : generator_kinds()) {
    INFO(kind.name);
    const std::size_t n = kind.name == "full-adder" ? 5 : kind.name == "ea3d" ? 4 : 14;
    CHECK(generate(kind.name, sized(n, 7)) == generate(kind.name, sized(n, 7)));
    if (kind.name == "full-adder") continue;
    CHECK(generate(kind.name, sized(n, 7)).objective != generate(kind.name, sized(n, 8)).objective);
  }
}

TEST_CASE("Planted Wishart energies are the lowest of all states") {
  std::size_t plus = 0, spins = 0;
  for (const bool integer : {false, true}) {
    for (std::size_t n = 2; n <= 16; ++n) {
      for (std::uint64_t seed = 1; seed <= (n > 12 ? 3u : 10u); ++seed) {
        GenerateOptions options = sized(n, 100 * n + seed);
        options.integer = integer;
        options.alpha = seed % 2 == 0 ? 0.75 : 1.25;
        const Problem p = generate("wishart", options);
        const Optimum best = *enumerate_optimum(p);
        INFO("n " << n << " seed " << seed << " integer " << integer);
        if (integer) {
          REQUIRE(all_whole(p));
          REQUIRE(best.energy == *p.known_optimum);  // whole numbers: no rounding at all
          const double columns = std::floor(*options.alpha * static_cast<double>(n));
          REQUIRE(*p.known_optimum == -0.5 * columns * static_cast<double>(n - n % 2));
        } else {
          REQUIRE(best.energy == Approx(*p.known_optimum).epsilon(1e-12));
        }
        REQUIRE(p.objective(p.known_solution) == *p.known_optimum);
        for (const Spin s : p.known_solution) plus += s > 0 ? 1 : 0;
        spins += n;
      }
    }
  }
  // The gauge is random: the share of + is one half within 5 sigma (false alarm 6e-7).
  const auto count = static_cast<double>(spins);
  CHECK(std::abs(static_cast<double>(plus) - count / 2.0) < 5.0 * std::sqrt(count) / 2.0);
}

TEST_CASE("Wishart couplings have the variance of their ensemble") {
  // J_ij = -sum_m w_i w_j / N over M independent columns of normals with unit variance and
  // correlation r = -t_i t_j / (N - 1), so E J^2 = M (1 + (M + 1) r^2) / N^2.
  const std::size_t n = 100;
  const double m = 75.0, r2 = 1.0 / (99.0 * 99.0);
  const double expected = m * (1.0 + (m + 1.0) * r2) / 1e4;
  double sum = 0.0, squares = 0.0;
  constexpr std::size_t kInstances = 40;
  for (std::uint64_t seed = 1; seed <= kInstances; ++seed) {
    double mean = 0.0;
    const Problem p = generate("wishart", sized(n, seed));
    REQUIRE(p.objective.couplings.size() == n * (n - 1) / 2);
    for (const Coupling& c : p.objective.couplings) mean += c.value * c.value;
    mean /= static_cast<double>(p.objective.couplings.size());
    sum += mean;
    squares += mean * mean;
  }
  const double mean = sum / kInstances;
  const double sigma = std::sqrt((squares / kInstances - mean * mean) / (kInstances - 1));
  CHECK(std::abs(mean - expected) < 6.0 * sigma);  // t with 39 degrees: false alarm 5e-7
}

TEST_CASE("Whole-number Wishart problems fit eight bits at the usual sizes") {
  GenerateOptions options = sized(101);
  options.integer = true;
  const Problem p = generate("wishart", options);
  CHECK(all_whole(p));
  for (const Coupling& c : p.objective.couplings) CHECK(std::abs(c.value) <= 75.0);
}

TEST_CASE("Full adder: levels, truth table, names") {
  const Problem p = generate("full-adder", {});
  std::map<double, int> levels;
  for (std::uint64_t bits = 0; bits < 32; ++bits) {
    const double energy = p.objective(test::state_of(bits, 5));
    ++levels[energy];
    const auto bit = [&](unsigned i) { return static_cast<int>(bits >> i & 1); };
    const bool row = bit(0) + bit(1) + bit(2) == bit(3) + 2 * bit(4);
    CHECK((energy == -4.0) == row);
  }
  CHECK(levels == std::map<double, int>{{-4.0, 8}, {-2.0, 14}, {4.0, 8}, {14.0, 2}});
  CHECK(p.known_optimum == -4.0);
  CHECK(p.names == std::vector<std::string>{"A", "B", "Cin", "S", "Cout"});
}

TEST_CASE("Lattices have three couplings per spin, the smallest does not double them") {
  const Problem cube = generate("ea3d", sized(2));
  CHECK(cube.objective.couplings.size() == 12);
  CHECK(cube.known_optimum.has_value());
  for (const std::size_t side : {3, 4, 10}) {
    const Problem p = generate("ea3d", sized(side));
    CHECK(p.objective.couplings.size() == 3 * side * side * side);
    CHECK(degrees(p) == std::vector<std::size_t>(side * side * side, 6));
    CHECK(std::all_of(p.objective.couplings.begin(), p.objective.couplings.end(),
                      [](const Coupling& c) { return std::abs(c.value) == 1.0; }));
  }
  // Neighbours differ by one step, around the border, along one axis.
  for (const Coupling& c : generate("ea3d", sized(4)).objective.couplings) {
    std::size_t moved = 0;
    for (const std::uint32_t stride : {1u, 4u, 16u}) {
      const std::uint32_t a = c.i / stride % 4, b = c.j / stride % 4;
      if (a == b) continue;
      ++moved;
      CHECK(((a + 1) % 4 == b || (b + 1) % 4 == a));
    }
    CHECK(moved == 1);
  }
  GenerateOptions gaussian = sized(3);
  gaussian.gaussian = true;
  CHECK(!all_whole(generate("ea3d", gaussian)));
}

TEST_CASE("SK couples every pair, with unit variance") {
  const Problem p = generate("sk", sized(30));
  CHECK(p.objective.couplings.size() == 30 * 29 / 2);
  CHECK(all_whole(p));
  CHECK(!p.known_optimum);
  GenerateOptions options = sized(400);
  options.gaussian = true;
  double squares = 0.0;
  const Problem gaussian = generate("sk", options);
  for (const Coupling& c : gaussian.objective.couplings) squares += c.value * c.value;
  const auto count = static_cast<double>(gaussian.objective.couplings.size());
  // Var(J^2) = 2: five sigma, false alarm 6e-7.
  CHECK(std::abs(squares / count - 1.0) < 5.0 * std::sqrt(2.0 / count));
}

TEST_CASE("Regular graphs are regular and simple, Erdos-Renyi graphs as dense as asked") {
  for (const auto& [n, degree] : std::vector<std::pair<std::size_t, std::size_t>>{
           {4, 3}, {10, 9}, {10, 1}, {11, 4}, {50, 3}, {51, 10}, {64, 31}, {800, 7}}) {
    GenerateOptions options = sized(n, n);
    options.degree = degree;
    const Problem p = generate("maxcut", options);
    CHECK(degrees(p) == std::vector<std::size_t>(n, degree));
    CHECK(p.objective.couplings.size() == n * degree / 2);  // normal form: no pair twice
  }
  GenerateOptions options = sized(600);
  options.density = 0.06;
  const auto edges = static_cast<double>(generate("maxcut", options).objective.couplings.size());
  const double pairs = 600.0 * 599.0 / 2.0;
  CHECK(std::abs(edges - 0.06 * pairs) < 5.0 * std::sqrt(pairs * 0.06 * 0.94));  // 6e-7
}

TEST_CASE("Switching forgets the circulant it starts from") {
  // The circulant of degree 4 has n triangles; a random 4-regular graph has Poisson with mean
  // (d - 1)^3 / 6 = 4.5 of them. Over 20 graphs: mean 90, and 150 is beyond six sigma (about 1e-9).
  std::size_t triangles = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    GenerateOptions options = sized(400, seed);
    options.degree = 4;
    const Problem p = generate("maxcut", options);
    const auto rows = adjacency(p.objective);
    const auto joined = [&](std::uint32_t a, std::uint32_t b) {
      return std::any_of(rows[a].begin(), rows[a].end(),
                         [&](const Neighbour& n) { return n.spin == b; });
    };
    for (const Coupling& c : p.objective.couplings) {
      for (const Neighbour& n : rows[c.i]) {
        if (n.spin > c.j && joined(c.j, n.spin)) ++triangles;
      }
    }
  }
  CHECK(triangles < 150);
  CHECK(triangles > 40);  // 90 - 5.3 sigma
}

TEST_CASE("The max-cut objective is the cut, counted directly, and its optimum enumerated") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Problem p = generate("maxcut", sized(10, seed));
    double best = 0.0;
    for (std::uint64_t bits = 0; bits < 1024; ++bits) {
      const std::vector<Spin> s = test::state_of(bits, 10);
      double cut = 0.0;
      for (const Coupling& c : p.objective.couplings) cut += s[c.i] != s[c.j] ? 1.0 : 0.0;
      REQUIRE(p.user.scale * p.objective(s) + p.user.shift == cut);
      best = std::max(best, cut);
    }
    CHECK(p.user.scale * *p.known_optimum + p.user.shift == best);
  }
}

TEST_CASE("MIMO: f is a squared distance, small noise leaves what was sent optimal") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    GenerateOptions options = sized(8, seed);
    options.snr_db = 200.0;
    const Problem quiet = generate("mimo", options);
    CHECK(quiet.known_solution == quiet.reference_solution);
    CHECK(std::abs(*quiet.known_optimum) < 1e-9);  // |y - H x|^2 without noise
    options.snr_db = 0.0;
    const Problem loud = generate("mimo", options);
    for (std::uint64_t bits = 0; bits < 256; ++bits) {
      REQUIRE(loud.objective(test::state_of(bits, 8)) > 0.0);
    }
    CHECK(*loud.known_optimum <= loud.objective(loud.reference_solution));
  }
  // |y - H x|^2 / n of what was sent is the noise: at 10 dB 0.1, chi-squared, 5 sigma (6e-7).
  const Problem p = generate("mimo", sized(500));
  CHECK(std::abs(p.objective(p.reference_solution) / 500.0 - 0.1) <
        5.0 * 0.1 * std::sqrt(2.0 / 500.0));
  CHECK(!p.known_optimum);
  CHECK(p.known_solution.empty());
}

TEST_CASE("LABS is the sum of squared autocorrelations, with the published optima") {
  // Mertens 1996, from n = 3 on.
  const std::vector<double> published = {1, 2, 2, 7, 3, 8, 12, 13, 5, 10, 6, 19};
  for (std::size_t n = 3; n < 3 + published.size(); ++n) {
    const ConstrainedModel model = make_labs(sized(n));
    double best = 1e9;
    for (std::uint64_t number = 0; number < std::uint64_t{1} << n; ++number) {
      const std::vector<Spin> spins = test::state_of(number, n);
      const std::vector<std::int64_t> values(spins.begin(), spins.end());
      double energy = 0.0;
      for (std::size_t k = 1; k < n; ++k) {
        double sum = 0.0;
        for (std::size_t i = 0; i + k < n; ++i) sum += spins[i] * spins[i + k];
        energy += sum * sum;
      }
      REQUIRE(model.objective(values) == energy);
      best = std::min(best, energy);
    }
    CHECK(best == published[n - 3]);
  }
}

TEST_CASE("3R3X: three spins in an equation, each spin in three, all can hold") {
  constexpr std::size_t kSpins = 10;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ConstrainedModel model = make_xorsat(sized(kSpins, seed));
    std::vector<double> often(kSpins, 0.0);
    for (const Monomial& m : model.objective.monomials) {
      REQUIRE(m.variables.size() == 3);
      for (std::uint32_t v : m.variables)
        often[v] += 2.0 * static_cast<double>(m.coefficient.magnitude());
    }
    CHECK(often == std::vector<double>(kSpins, 3.0));
    double best = 1e9;
    for (std::uint64_t number = 0; number < 1U << kSpins; ++number) {
      const std::vector<Spin> spins = test::state_of(number, kSpins);
      best = std::min(best, model.objective(std::vector<std::int64_t>(spins.begin(), spins.end())));
    }
    CHECK(best == 0.0);
  }
}

TEST_CASE("Enumerated optima appear up to the limit and not beyond") {
  CHECK(generate("sk", sized(kEnumerable)).known_optimum.has_value());
  CHECK(!generate("sk", sized(kEnumerable + 1)).known_optimum);
}

TEST_CASE("Bad options are refused with their numbers") {
  GenerateOptions options;
  CHECK(complaint("sk", options) == "sk needs its size, -n");
  CHECK(complaint("sk", sized(0)) == "sk: n = 0, expected 2 to 8192");
  CHECK(complaint("wishart", sized(100000)) == "wishart: n = 100000, expected 2 to 8192");
  CHECK(complaint("ea3d", sized(1)) == "ea3d: n = 1, expected 2 to 100");
  CHECK(complaint("full-adder", sized(6)) == "full-adder: n = 6, expected 5 to 5");
  CHECK(complaint("tsp", sized(6)) ==
        "unknown kind of problem 'tsp'; known: wishart, sk, ea3d, maxcut, full-adder, mimo");
  for (const double alpha : {0.0, -1.0, std::nan(""), 1e9}) {
    options = sized(10);
    options.alpha = alpha;
    CHECK_THAT(complaint("wishart", options), Catch::StartsWith("wishart: alpha = "));
  }
  options = sized(10);
  options.alpha = 0.05;
  CHECK(complaint("wishart", options) ==
        "wishart: alpha = 0.05 of n = 10 is 0 columns, expected 1 to 65536");
  CHECK(complaint("sk", options) == "sk takes no --alpha; its options: n, gaussian, seed");
  options = sized(11);
  options.degree = 3;
  CHECK(complaint("maxcut", options) ==
        "maxcut: no graph of n = 11 vertices has degree 3 everywhere: n times degree must be even");
  options.degree = 11;
  CHECK(complaint("maxcut", options) == "maxcut: degree 11 with n = 11, expected 1 to 10");
  options.degree = 0;
  CHECK(complaint("maxcut", options) == "maxcut: degree 0 with n = 11, expected 1 to 10");
  options.density = 0.5;
  CHECK(complaint("maxcut", options) == "maxcut takes --degree or --density, not both");
  options.degree.reset();
  options.density = 1.5;
  CHECK(complaint("maxcut", options) == "maxcut: density = 1.5, expected above 0, at most 1");
  options = sized(4);
  options.snr_db = 1e9;
  CHECK(complaint("mimo", options) == "mimo: SNR = 1000000000 dB, expected -100 to 300");
}

TEST_CASE("The table of kinds is complete enough for a help page") {
  for (const Kind& kind : generator_kinds()) {
    CHECK(!kind.help.empty());
    CHECK(kind.help.size() < 100);
    CHECK(kind.make != nullptr);
  }
}
