// Samples of models against enumeration. A case fails by chance once in 10^9 runs: chi square is
// compared with its quantile at six standard deviations (Wilson and Hilferty), and enough sweeps
// lie between two samples for them to be independent.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../temporary_folder.hpp"
#include "chainmail/chainmail.hpp"

using namespace chainmail;

namespace {

using Values = std::vector<std::int64_t>;

double largest_by_chance(double degrees) {
  const double c = 2.0 / (9.0 * degrees);
  return degrees * std::pow(1.0 - c + 6.0 * std::sqrt(c), 3.0);
}

struct Judged {
  std::size_t states, states_with_several_g;
  double chi_square;
};

std::vector<Sample> samples_of(const Model& model, double beta, double penalty,
                               std::uint64_t samples, std::uint64_t sweeps) {
  Sampling sampling;
  sampling.betas = {beta};
  sampling.penalties = {penalty};
  sampling.samples = samples;
  sampling.sweeps = sweeps;
  Options options;
  options.threads = 1;
  std::vector<Sample> drawn = sample(model, sampling, options);
  REQUIRE(drawn.size() == samples);
  return drawn;
}

Model model_of(const std::string& lp) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("m.lp")) << lp;
  return Model::read(folder.file("m.lp"));
}

// By f of the model itself and the g that came with the samples, which must be one for each state.
Judged judge(const std::string& lp, double beta, double penalty, std::uint64_t samples,
             std::uint64_t sweeps) {
  const Model model = model_of(lp);
  std::map<Values, double> seen;
  std::map<Values, std::set<double>> g;
  for (const Sample& s : samples_of(model, beta, penalty, samples, sweeps)) {
    seen[s.values] += 1.0;
    g[s.values].insert(s.g);
  }
  std::map<Values, double> weight;
  double z = 0.0;
  Judged judged{seen.size(), 0, 0.0};
  for (const auto& [values, several] : g) {
    judged.states_with_several_g += several.size() > 1 ? 1 : 0;
    z += weight[values] =
        std::exp(-beta * (evaluate(model, values).objective + penalty * *several.begin()));
  }
  for (const auto& [values, w] : weight) {
    const double expected = static_cast<double>(samples) * w / z;
    judged.chi_square += (seen[values] - expected) * (seen[values] - expected) / expected;
  }
  return judged;
}

void check_exact(const std::string& lp, std::size_t states, double beta, double penalty,
                 std::uint64_t samples, std::uint64_t sweeps = 20) {
  INFO(lp);
  const Judged judged = judge(lp, beta, penalty, samples, sweeps);
  CHECK(judged.states == states);
  CHECK(judged.states_with_several_g == 0);
  CHECK(judged.chi_square < largest_by_chance(static_cast<double>(states - 1)));
}

}  // namespace

TEST_CASE("every value of an integer is one state to a sampler, however many patterns it has") {
  const std::string product = "Minimize\n obj: n - 2 x + [ 2 n * x ] / 2\n";
  const std::string bounds = "Bounds\n n <= 5\nGeneral\n n\nBinary\n x\nEnd\n";
  check_exact(product + "Subject To\n c: n + x <= 5\n" + bounds, 12, 0.3, 1.0, 20000);
  check_exact(product + bounds, 12, 0.3, 0.0, 20000);
  check_exact(
      "Minimize\n obj: 0.000001 n + x\nSubject To\n c: n + x <= 99\nBounds\n n <= 99\nGeneral\n n\n"
      "Binary\n x\nEnd\n",
      200, 0.3, 1.0, 20000);
}

TEST_CASE("values with two patterns of bits are not drawn twice as often") {
  // Too many for a state each. 2054 to 4095 can be had with the last weight, 2054, and without.
  const std::vector<Sample> drawn =
      samples_of(model_of("Minimize\n obj: 0.000001 n\nSubject To\n c: n <= 6149\nBounds\n n <= "
                          "6149\nGeneral\n n\nEnd\n"),
                 1e-6, 1.0, 10000, 5);
  const auto in_both = std::count_if(drawn.begin(), drawn.end(), [](const Sample& s) {
    return s.values.front() >= 2054 && s.values.front() <= 4095;
  });
  // Six standard errors of 10,000 samples.
  CHECK(std::abs(static_cast<double>(in_both) / 10000 - 2042.0 / 6150) < 6 * 0.0048);
}

TEST_CASE("a soft constraint's price is part of the distribution") {
  check_exact(
      "Minimize\n obj: x + y\nSubject To\n c: x + y + z <= 2\n d: x + y + 2 z <= 1\n"
      "Soft Constraints\n d 0.5\nBinary\n x y z\nEnd\n",
      8, 1.0, 2.0, 20000);
}

TEST_CASE("a set over integers gives a state one g") {
  check_exact(
      "Minimize\n obj: n + m\nSubject To\n c: n + m <= 9\nBounds\n n <= 5\n m <= 3\nGeneral\n n "
      "m\nSOS\n s: S1:: n:1 m:2\nEnd\n",
      24, 0.3, 1.0, 20000);
}

TEST_CASE("samples of a model do not come around at high temperature") {
  const std::string hot =
      "Minimize\n obj: x + y + z\nSubject To\n c: x + y + z + 2 w <= 4\nBinary\n x y z w\nEnd\n";
  check_exact(hot, 16, 1e-9, 1.0, 20000, 2);
  check_exact(hot, 16, 1e-9, 1.0, 20000, 1);
  // With a price, bits are turned one by one.
  check_exact(
      "Minimize\n obj: x + y\nSubject To\n c: x + y + z <= 2\n d: x + y + 2 z <= 1\n"
      "Soft Constraints\n d 0.5\nBinary\n x y z\nEnd\n",
      8, 1e-9, 1.0, 20000, 2);
}
