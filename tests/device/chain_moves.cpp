// Moves of whole chains sample exp(-beta f - beta P g) / Z, compared with exact enumeration, on
// every instruction set; they keep the device's contract and refuse what they cannot do exactly.
#include <catch2/catch.hpp>
#include <string>

#include "../every_target.hpp"
#include "embedding/embedding.hpp"
#include "generate/generate.hpp"
#include "reference.hpp"
#include "support/error.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

PhysicalModel full_adder(std::size_t copies) {
  return embed(generate("full-adder", {}), copies).model;
}

PhysicalModel dense(std::size_t spins, std::size_t copies, Placement placement,
                    std::uint64_t seed) {
  Problem problem;
  problem.objective = random_model(spins, 1.0, 0, true, false, seed).f;
  return embed(problem, copies, placement).model;
}

// Eight p-bits in chains of three, two, two and one. One link is weighted, one also has a coupling
// of f, one is antiferromagnetic.
PhysicalModel uneven(std::uint64_t seed) {
  PhysicalModel model = random_model(8, 0.6, 0, true, false, seed);
  std::erase_if(model.f.couplings, [](const Coupling& c) {
    return (c.i == 0 && c.j == 5) || (c.i == 0 && c.j == 3) || (c.i == 3 && c.j == 5);
  });
  model.f.couplings.push_back({0, 3, 0.4});
  model.g.couplings = {{0, 3, 1.0}, {3, 5, 2.5}, {1, 2, 1.0}, {6, 7, -1.0}, {4, 7, 0.5}};
  model.g.offset = 6.0;
  model.f.normalise();
  model.g.normalise();
  model.chains = {{0, 3, 5}, {1, 2}, {7, 6}};
  return model;
}

std::unique_ptr<Device> loaded(const PhysicalModel& model, std::size_t replicas, unsigned threads,
                               double beta, double penalty) {
  auto device = make_device({"cpu", threads, "auto", "chain"});
  LoadOptions options;
  options.replicas = replicas;
  options.seed = 5;
  options.beta_min = options.beta_max = beta;
  options.penalty_max = penalty;
  device->load(model, options);
  return device;
}

// Replicas draw independently and a few sweeps decorrelate these systems, so the distance follows
// total_variation()'s mean and sigma; 5.5 sigma leaves about 1e-7 of false alarms a case.
void check_boltzmann(const PhysicalModel& model, double beta, double penalty) {
  constexpr std::size_t kReplicas = 300;
  const auto device = loaded(model, kReplicas, 1, beta, penalty);
  const Parameters wanted{beta, beta * penalty};
  const std::vector<double> counts = histogram(*device, model, wanted, kReplicas, 300, 12);
  const Distance d = total_variation(counts, boltzmann(model, wanted));
  INFO(device->describe() << ", " << model.f.size() << " p-bits, beta " << beta << ", P " << penalty
                          << ": TV " << d.value << ", expected " << d.mean << " +- " << d.sigma);
  CHECK(d.value < d.mean + 5.5 * d.sigma + 1e-4);
}

}  // namespace

TEST_CASE("chain moves sample the Boltzmann distribution on every instruction set",
          "[device][chain]") {
  on_every_target([](std::int64_t) {
    for (double penalty : {0.0, 0.5, 6.0}) {  // at 6 single moves would not leave their chains
      check_boltzmann(full_adder(2), 1.0, penalty);
      check_boltzmann(dense(4, 3, Placement::alt, 21), 0.6, penalty);
      check_boltzmann(uneven(22), 0.5, penalty);
    }
  });
}

TEST_CASE("chain moves are exact for long chains, without copies and in double precision",
          "[device][chain]") {
  check_boltzmann(dense(2, 5, Placement::balanced, 23), 0.7, 0.4);
  check_boltzmann(dense(8, 1, Placement::alt, 24), 0.5, 0.0);
  PhysicalModel large = dense(4, 2, Placement::packed, 25);
  for (Coupling& c : large.f.couplings) c.value *= 1e6;
  for (double& h : large.f.fields) h *= 1e6;
  const auto device = loaded(large, 1, 1, 0.6e-6, 1e6);
  CHECK(device->describe().find("double precision") == std::string::npos);
  PhysicalModel wide = large;  // one strong field: its sums need more than 24 bits
  wide.f.fields[0] += 1e11;
  CHECK(loaded(wide, 1, 1, 0.6e-6, 1e6)->describe().find("double precision") != std::string::npos);
  check_boltzmann(wide, 0.6e-6, 1e6);
}

TEST_CASE("chain moves: energies belong to the spins, threads and width change no bit",
          "[device][chain]") {
  constexpr std::size_t kReplicas = 117;
  const PhysicalModel model = dense(30, 3, Placement::packed, 26);
  std::vector<std::vector<std::vector<Spin>>> plain, fused;
  on_every_target([&](std::int64_t target) {
    for (unsigned threads : {1U, 3U}) {
      const auto device = loaded(model, kReplicas, threads, 1.0, 2.0);
      CHECK(device->describe().find(hwy::TargetName(target)) != std::string::npos);
      std::vector<Parameters> parameters;
      for (std::size_t r = 0; r < kReplicas; ++r) {
        const double beta = 0.01 * static_cast<double>(r);
        parameters.push_back(device->quantise({beta, beta * 0.3 * static_cast<double>(r % 7)}));
      }
      device->submit(0, parameters, 40, 3);
      const BurstResult result = device->wait(0);
      std::vector<std::vector<Spin>> spins;
      for (std::size_t r = 0; r < kReplicas; ++r) {
        spins.push_back(device->read_spins(0, r));
        CHECK(result.f[r] == Approx(model.f(spins[r])).epsilon(1e-12).margin(1e-10));
        CHECK(result.g[r] == Approx(model.g(spins[r])).epsilon(1e-12).margin(1e-10));
      }
      // Without fused multiply-adds the last bit of a field may differ, so SSE4 stands apart.
      auto& same = target == HWY_SSE4 ? plain : fused;
      same.push_back(std::move(spins));
      CHECK((same.back() == same.front()));
    }
  });
}

TEST_CASE("chain moves are refused where they cannot be made", "[device][chain]") {
  CHECK_THROWS_WITH(make_device({.name = "hls:5x2", .moves = "chain"}),
                    Catch::Contains("single p-bits"));
  CHECK_THROWS_WITH(make_device({.name = "sw_emu", .moves = "chain"}),
                    Catch::Contains("--device cpu"));
  CHECK_THROWS_AS(make_device({"cpu", 1, "auto", "worm"}), UsageError);
  CHECK_THROWS_AS(make_device({"cpu", 1, "int8", "chain"})->load(full_adder(2), {}), InputError);
  PhysicalModel model = uneven(27);
  model.f.couplings.push_back({0, 5, 0.1});  // closes the first chain to a ring
  model.f.normalise();
  CHECK_THROWS_WITH(make_device({"cpu", 1, "auto", "chain"})->load(model, {}),
                    Catch::Contains("no link of its chain"));
}
