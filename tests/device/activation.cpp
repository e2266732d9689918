// Probabilities of single updates on every path, counted over millions of draws: the logistic
// function from the middle to its tails, and no bias at zero field.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "reference.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

constexpr std::size_t kPbits = 16384, kReplicas = 512;

// Share of up spins among `bursts` * 8.4 million draws at 2 beta h = x. All p-bits have the same
// field; g = -sum S with P = 0 counts the spins without touching them.
double share_up(const std::string& precision, double x, std::uint64_t bursts, std::uint64_t seed,
                double& exact) {
  PhysicalModel model;
  model.f = Quadratic(kPbits);
  model.g = Quadratic(kPbits);
  const double beta = 0.7;
  model.f.fields.assign(kPbits, x / (2.0 * beta));
  model.g.fields.assign(kPbits, 1.0);
  LoadOptions options;
  options.replicas = kReplicas;
  options.seed = seed;
  options.beta_min = options.beta_max = beta;
  options.penalty_max = 1.0;
  const auto device = make_device({"cpu", 0, precision});
  device->load(model, options);
  const Parameters used = device->quantise({beta, 0.0});
  exact = 1.0 / (1.0 + std::exp(-x * used.beta / beta));
  const std::vector<Parameters> all(kReplicas, used);
  double up = 0.0;
  for (std::uint64_t burst = 0; burst < bursts; ++burst) {
    device->submit(0, all, 1, burst);
    for (double g : device->wait(0).g) up += 0.5 * (static_cast<double>(kPbits) - g);
  }
  return up / (static_cast<double>(bursts * kReplicas) * static_cast<double>(kPbits));
}

void check_share(const std::string& precision, double x, std::uint64_t bursts, double tolerance) {
  double exact = 0.0;
  const double share = share_up(precision, x, bursts, 5, exact);
  const double draws = static_cast<double>(bursts * kReplicas) * static_cast<double>(kPbits);
  // 5 sigma of counting (6e-7) and the relative error the arithmetic is allowed.
  const double rare = std::min(exact, 1.0 - exact);
  const double limit = 5.0 * std::sqrt(exact * (1.0 - exact) / draws) + tolerance * rare;
  INFO(precision << " x " << x << " share " << share << " exact " << exact << " limit " << limit);
  CHECK(std::abs(share - exact) < limit);
  CHECK(share > 0.0);
  CHECK(share < 1.0);
}

// Pairs of p-bits with one coupling: the second of a pair, updated last, disagrees with the first
// with probability 1 / (1 + exp(2 beta J)), and f counts the disagreements.
double share_against(double x, std::uint64_t bursts, double& draws) {
  PhysicalModel model;
  model.f = Quadratic(kPbits);
  model.g = Quadratic(kPbits);
  for (std::uint32_t i = 0; i < kPbits; i += 2) {
    model.f.couplings.push_back({i, i + 1, i % 4 == 0 ? 1.0 : -1.0});
  }
  LoadOptions options;
  options.replicas = kReplicas;
  const auto device = make_device({"cpu", 0, "lanes"});
  device->load(model, options);
  REQUIRE(device->describe().find("bit-sliced") != std::string::npos);
  const std::vector<Parameters> all(kReplicas, device->quantise({0.5 * x, 0.0}));
  double against = 0.0;
  for (std::uint64_t burst = 0; burst < bursts; ++burst) {
    device->submit(0, all, 1, burst);
    for (double f : device->wait(0).f) against += 0.5 * (f + 0.5 * static_cast<double>(kPbits));
  }
  draws = static_cast<double>(bursts * kReplicas) * static_cast<double>(kPbits) / 2.0;
  return against / draws;
}

// A star whose hub is updated last. Leaves agree with the hub each with p = 1 / (1 + exp(-2 beta
// J)), and a hub that turns with the right probability at every field keeps that, so the number of
// those that agree stays binomial. Chi-square over 512 replicas; failing by chance: below 1e-8.
void check_star(std::uint32_t leaves, double beta, std::uint64_t bursts) {
  PhysicalModel model;
  model.f = Quadratic(leaves + 1);
  model.g = Quadratic(leaves + 1);
  for (std::uint32_t i = 0; i < leaves; ++i) {
    model.f.couplings.push_back({i, leaves, i % 3 == 0 ? -1.0 : 1.0});
  }
  LoadOptions options;
  options.replicas = 512;
  const auto device = make_device({"cpu", 1, "lanes"});
  device->load(model, options);
  REQUIRE(device->describe().find("bit-sliced") != std::string::npos);
  const std::vector<Parameters> all(512, device->quantise({beta, 0.0}));
  std::vector<double> seen(leaves + 1);
  for (std::uint64_t burst = 0; burst < bursts; ++burst) {
    device->submit(0, all, 1, burst);
    for (double f : device->wait(0).f) ++seen[static_cast<std::size_t>((leaves - f) / 2.0)];
  }
  const double p = 1.0 / (1.0 + std::exp(-2.0 * beta)), d = leaves;
  const double draws = static_cast<double>(512 * bursts);
  double chi = 0.0, bins = -1.0, rest_seen = 0.0, rest_expected = 0.0;
  for (std::uint32_t k = 0; k <= leaves; ++k) {
    const double log_ways = std::lgamma(d + 1.0) - std::lgamma(k + 1.0) - std::lgamma(d - k + 1.0);
    rest_seen += seen[k];
    rest_expected += draws * std::exp(log_ways + k * std::log(p) + (d - k) * std::log1p(-p));
    if (rest_expected < 10.0) continue;
    chi += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
    rest_seen = rest_expected = 0.0;
    ++bins;
  }
  // Wilson and Hilferty: the cube root of chi^2 / bins is nearly normal.
  const double spread = 2.0 / (9.0 * bins);
  INFO(leaves << " leaves, beta " << beta << ": chi^2 " << chi << " of " << bins);
  CHECK((std::cbrt(chi / bins) - (1.0 - spread)) / std::sqrt(spread) < 6.0);
}

}  // namespace

TEST_CASE("bit-sliced spins of any degree see every field", "[device][activation]") {
  for (std::uint32_t leaves : {7, 8, 9, 14, 16, 31, 32, 33, 50, 62, 63}) {
    for (double beta : {0.02, 0.08, 0.3}) check_star(leaves, beta, 100);
  }
}

TEST_CASE("activation follows the logistic function into its tails", "[device][activation]") {
  for (const std::string precision : {"float", "int8"}) {
    for (double x : {-2.0, -0.1, 0.3, 1.0, 3.0, 6.0}) check_share(precision, x, 2, 0.004);
    for (double x : {-9.0, 11.5, 13.8}) check_share(precision, x, 10, 0.01);  // down to 1e-6
  }
  for (double x : {0.1, 1.0, 4.0, 9.0, 13.8}) {
    double draws = 0.0;
    const double share = share_against(x, 20, draws);
    const double exact = 1.0 / (1.0 + std::exp(x));
    INFO("bit-sliced x " << x << " share " << share << " exact " << exact);
    CHECK(std::abs(share - exact) < 5.0 * std::sqrt(exact / draws));
    CHECK(share > 0.0);
  }
}

TEST_CASE("no bias at zero field", "[device][activation]") {
  for (const std::string precision : {"float", "int8"}) check_share(precision, 0.0, 12, 0.0);
}

TEST_CASE("no bias at zero field in 2e9 draws", "[.long][device]") {
  for (const std::string precision : {"float", "int8"}) check_share(precision, 0.0, 240, 0.0);
}

// With an even number of neighbours the field can vanish; then, and at beta = 0, a spin is a coin.
TEST_CASE("no bias of bit-sliced spins", "[device][activation]") {
  PhysicalModel model = lattice_model(20, 1.0, 3);
  LoadOptions options;
  options.replicas = kReplicas;
  const auto device = make_device({"cpu", 0, "lanes"});
  device->load(model, options);
  std::vector<Parameters> all(kReplicas);
  for (std::size_t r = 0; r < kReplicas; ++r) all[r] = {r % 2 == 0 ? 0.0 : 0.05, 0.0};
  double sum = 0.0, draws = 0.0;
  for (std::uint64_t burst = 0; burst < 12; ++burst) {
    device->submit(0, all, 8, burst);
    device->wait(0);
    for (std::size_t r = 0; r < kReplicas; ++r) {
      for (Spin s : device->read_spins(0, r)) sum += s;
      draws += static_cast<double>(model.f.size());
    }
  }
  // A ±J lattice this hot is a paramagnet: spins of random sign, susceptibility below 1.1.
  // 5 sigma, 6e-7.
  CHECK(std::abs(sum) < 5.0 * std::sqrt(1.1 * draws));
}
