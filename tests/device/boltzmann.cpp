// Every path of the cpu device samples exp(-beta f - beta P g) / Z, compared with exact
// enumeration: total variation against its own sampling noise.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "device/cpu/table_model.hpp"
#include "reference.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

// Replicas draw independently and the sweeps between draws decorrelate these small systems, so the
// distance follows total_variation()'s mean and sigma; 5.5 sigma leaves about 1e-7 of false alarms
// a case. A residual autocorrelation only makes the test stricter.
void check_boltzmann(const std::string& precision, const PhysicalModel& model, double beta,
                     double penalty, std::uint64_t seed) {
  constexpr std::size_t kReplicas = 300;
  const auto device = make_device({"cpu", 1, precision});
  LoadOptions options;
  options.replicas = kReplicas;
  options.seed = seed;
  options.beta_min = options.beta_max = beta;
  options.penalty_max = penalty;
  device->load(model, options);
  const Parameters wanted{beta, beta * penalty};
  const Parameters used = device->quantise(wanted);
  const std::vector<double> counts = histogram(*device, model, wanted, kReplicas, 400, 20);
  // The table path samples its own rounded couplings; fields() below checks how it rounds.
  PhysicalModel sampled = model;
  if (precision == "int8") sampled.f = rounded(model.f, fit_tables(model, options).model->step);
  const Distance d = total_variation(counts, boltzmann(sampled, used));
  INFO(device->describe() << " beta " << used.beta << " betaP " << used.beta_penalty << " TV "
                          << d.value << " expected " << d.mean << " +- " << d.sigma);
  CHECK(d.value < d.mean + 5.5 * d.sigma + 1e-4);
}

}  // namespace

TEST_CASE("the float path samples the Boltzmann distribution", "[device][boltzmann]") {
  std::uint64_t seed = 11;
  for (double beta : {0.0, 0.2, 0.7}) {
    check_boltzmann("float", random_model(8, 1.0, 0, true, false, seed), beta, 0.0, seed);
    check_boltzmann("float", random_model(8, 0.5, 0, true, true, seed + 1), beta, 1.3, seed);
    check_boltzmann("float", random_model(6, 0.6, 0, false, true, seed + 2), beta, 0.4, seed);
    seed += 10;
  }
}

TEST_CASE("the int8 path samples the Boltzmann distribution", "[device][boltzmann]") {
  std::uint64_t seed = 111;
  for (double beta : {0.0, 0.02, 0.2, 0.7}) {
    check_boltzmann("int8", random_model(8, 1.0, 0, true, false, seed), beta, 0.0, seed);
    check_boltzmann("int8", random_model(8, 0.5, 0, true, true, seed + 1), beta, 1.3, seed);
    check_boltzmann("int8", random_model(7, 0.6, 3, true, true, seed + 2), beta / 2, 0.7, seed);
    check_boltzmann("int8", random_model(8, 0.6, 1, false, true, seed + 3), beta, 0.4, seed);
    seed += 10;
  }
}

TEST_CASE("the bit-sliced path samples the Boltzmann distribution", "[device][boltzmann]") {
  std::uint64_t seed = 211;
  for (double beta : {0.0, 0.1, 0.4, 0.9}) {
    for (double density : {0.3, 0.6, 1.0}) {
      const PhysicalModel model = random_model(8, density, 1, false, false, seed);
      const auto device = make_device({"cpu", 1, "lanes"});
      device->load(model, {});
      REQUIRE(device->describe().find("bit-sliced") != std::string::npos);
      check_boltzmann("lanes", model, beta, 0.0, seed++);
    }
  }
  for (std::size_t pbits : {10, 11}) {  // more neighbours than its adders count at once
    check_boltzmann("lanes", random_model(pbits, 1.0, 1, false, false, seed), 0.2, 0.0, seed);
    ++seed;
  }
}

TEST_CASE("the cached paths sample the Boltzmann distribution", "[device][boltzmann]") {
  std::uint64_t seed = 311;
  for (double beta : {0.0, 0.02, 0.2, 0.7}) {
    check_boltzmann("cached", random_model(8, 1.0, 1, true, false, seed), beta, 0.0, seed);
    check_boltzmann("cached", random_model(8, 0.6, 3, true, false, seed + 1), beta, 0.0, seed);
    check_boltzmann("cached", random_model(8, 1.0, 0, true, false, seed + 2), beta, 0.0, seed);
    check_boltzmann("cached", random_model(8, 1.0, 90000, true, false, seed + 3), beta / 5e4, 0.0,
                    seed);
    seed += 10;
  }
}

TEST_CASE("a coupling that is most of a field is not cut off", "[device][boltzmann]") {
  // 16 bits hold the field, but not twice the coupling: in whole numbers, and rounded.
  for (const double step : {1.0, 1e-4 * std::sqrt(2.0)}) {
    PhysicalModel model{Quadratic(4), Quadratic(4), {}};
    model.f.couplings = {
        {0, 1, 19999.0 * step}, {0, 2, -1300.0 * step}, {1, 3, 2100.0}, {2, 3, 900.0 * step}};
    model.f.couplings[2].value *= step * (step < 1.0 ? std::sqrt(1.1) : 1.0);
    model.f.fields = {700.0 * step, -400.0 * step, 0.0, 1500.0 * step};
    check_boltzmann("cached", model, 1.5 / (19999.0 * step), 0.0, 611);
  }
}
