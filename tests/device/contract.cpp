// The Device contract on every path: energies belong to the spins, bursts are pure functions of
// their inputs, threads and instruction sets change no bit, and odd sizes work.
#include <hwy/targets.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "device/cpu/noise.hpp"
#include "device/cpu/table_model.hpp"
#include "problem/problem.hpp"
#include "reference.hpp"
#include "support/error.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

struct Case {
  std::string name, precision;
  PhysicalModel model;
  bool exact;  // the device holds the couplings without rounding
};

// g = (sum_i a_i S_i)^2 with a_i up to 9: coefficients too large for narrow tables.
PhysicalModel wide_constraint_model() {
  PhysicalModel model = random_model(50, 0.3, 5, true, false, 12);
  const auto a = [](std::uint32_t i) { return 1.0 + i % 9; };
  for (std::uint32_t i = 0; i < 50; ++i) {
    model.g.offset += a(i) * a(i);
    for (std::uint32_t j = i + 1; j < 50; ++j) {
      model.g.couplings.push_back({i, j, -2.0 * a(i) * a(j)});
    }
  }
  return model;
}

std::vector<Case> cases() {
  return {
      {"float, sparse with fields and g", "float", random_model(61, 0.15, 0, true, true, 3), true},
      {"float, dense", "float", random_model(40, 1.0, 0, false, false, 4), true},
      {"int8, rounded, fields and g", "int8", random_model(61, 0.15, 0, true, true, 5), false},
      {"int8, exact, fields and g", "int8", random_model(50, 0.4, 9, true, true, 6), true},
      {"int8, exact, dense", "int8", random_model(90, 1.0, 40, false, false, 7), true},
      {"int8, exact, narrow g", "int8", random_model(90, 0.1, 1, false, true, 8), true},
      {"int8, narrow", "int8", random_model(90, 0.1, 1, true, false, 13), true},
      {"int8, wide g", "int8", wide_constraint_model(), true},
      {"bit-sliced lattice", "lanes", lattice_model(5, 0.7, 9), true},
      {"bit-sliced, mixed degrees", "lanes", random_model(40, 0.12, 1, false, false, 10), true},
      {"bit-sliced, up to 63 neighbours", "lanes", random_model(64, 0.8, 1, false, false, 11),
       true},
      {"bit-sliced, 63 neighbours", "lanes", random_model(64, 1.0, 1, false, false, 12), true},
      {"cached, dense bytes", "cached", random_model(150, 1.0, 1, true, false, 14), true},
      {"cached, dense 16 bits", "cached", random_model(130, 1.0, 200, true, false, 15), true},
      {"cached, dense bytes, 32-bit fields", "cached", random_model(560, 1.0, 127, true, false, 21),
       true},
      {"cached, dense, rounded to 16 bits", "cached", random_model(100, 1.0, 0, true, false, 16),
       false},
      {"cached, dense, 32-bit fields", "cached", random_model(70, 1.0, 9000, true, false, 17),
       true},
      {"cached, dense, 32-bit rows", "cached", random_model(66, 1.0, 900000, true, false, 18),
       true},
      {"cached, sparse", "cached", lattice_model(7, 0.7, 19), true},
      {"cached, sparse, 32-bit fields", "cached", random_model(400, 0.01, 90000, true, false, 20),
       true},
  };
}

// A ladder: every replica its own beta and P, one of each at zero.
std::vector<Parameters> ladder(const Device& device, std::size_t replicas) {
  std::vector<Parameters> all(replicas);
  for (std::size_t r = 0; r < replicas; ++r) {
    const double beta = 0.03 * static_cast<double>(r % 40);
    all[r] = device.quantise({beta, beta * 0.2 * static_cast<double>(r % 7)});
  }
  return all;
}

std::unique_ptr<Device> loaded(const Case& c, std::size_t replicas, unsigned threads,
                               std::size_t grids = 1, bool one_driver = false) {
  auto device = make_device({"cpu", threads, c.precision});
  LoadOptions options;
  options.grids = grids;
  options.replicas = replicas;
  options.seed = 77;
  options.beta_min = 0.03;
  options.beta_max = 1.2;
  options.penalty_max = 1.2;
  options.one_driver = one_driver;
  device->load(c.model, options);
  return device;
}

std::vector<std::vector<Spin>> all_spins(Device& device, std::size_t grid, std::size_t replicas) {
  std::vector<std::vector<Spin>> spins;
  for (std::size_t r = 0; r < replicas; ++r) spins.push_back(device.read_spins(grid, r));
  return spins;
}

void check_instruction_sets(const Case& c, std::size_t replicas) {
  const std::int64_t supported = hwy::SupportedTargets();
  std::vector<std::vector<std::vector<Spin>>> seen;
  std::vector<std::vector<double>> energies;
  const bool wide_aes = may_use_wide_aes;
  struct Set {
    std::int64_t target;
    bool wide_aes;
  };
  for (const auto [target, wide] : {Set{HWY_SSE4, false}, Set{HWY_AVX2, false},
                                    Set{HWY_AVX2, wide_aes}, Set{HWY_AVX3_DL, true}}) {
    if ((supported & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    may_use_wide_aes = wide;
    const auto device = loaded(c, replicas, 2);
    INFO(c.name << ": " << device->describe());
    CHECK(device->describe().find(hwy::TargetName(target)) != std::string::npos);
    const auto parameters = ladder(*device, replicas);
    device->submit(0, parameters, 200, 1);
    energies.push_back(device->wait(0).f);
    seen.push_back(all_spins(*device, 0, replicas));
    CHECK((seen.back() == seen.front()));
    CHECK((energies.back() == energies.front()));
  }
  may_use_wide_aes = wide_aes;
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace

TEST_CASE("f and g of a burst are those of its spins", "[device][contract]") {
  for (const Case& c : cases()) {
    const auto device = loaded(c, 70, 1);
    INFO(c.name << ": " << device->describe());
    const auto parameters = ladder(*device, 70);
    device->submit(0, parameters, 37, 5);
    const BurstResult result = device->wait(0);
    for (std::size_t r = 0; r < 70; ++r) {
      const std::vector<Spin> spins = device->read_spins(0, r);
      if (c.exact) CHECK(result.f[r] == Approx(c.model.f(spins)).epsilon(1e-12).margin(1e-10));
      CHECK(result.g[r] == Approx(c.model.g(spins)).epsilon(1e-12).margin(1e-10));
      const double best =
          c.model.g(spins) < kFeasible ? result.f[r] : std::numeric_limits<double>::infinity();
      CHECK(result.best_f[r] == best);
      CHECK(device->read_spins(0, r, Which::best) == spins);
    }
  }
}

TEST_CASE("a burst depends on seed, grid and number only, not on threads", "[device][contract]") {
  for (const Case& c : cases()) {
    constexpr std::size_t kReplicas = 533;
    const auto one = loaded(c, kReplicas, 1);
    const auto three = loaded(c, kReplicas, 3);
    const auto nine = loaded(c, kReplicas, 9);  // smaller blocks
    INFO(c.name << ": " << one->describe());
    const auto parameters = ladder(*one, kReplicas);
    for (std::uint64_t burst : {9, 10}) {
      one->submit(0, parameters, 60, burst);
      const BurstResult a = one->wait(0);
      for (Device* more : {three.get(), nine.get()}) {
        more->submit(0, parameters, 60, burst);
        const BurstResult b = more->wait(0);
        CHECK(a.f == b.f);
        CHECK(a.g == b.g);
      }
    }
    const auto middle = all_spins(*one, 0, kReplicas);
    REQUIRE(middle == all_spins(*three, 0, kReplicas));
    REQUIRE(middle == all_spins(*nine, 0, kReplicas));

    // Resuming on a fresh device from the spins gives the same future; another number does not.
    one->submit(0, parameters, 5, 11);
    one->wait(0);
    const auto expected = all_spins(*one, 0, kReplicas);
    const auto fresh = loaded(c, kReplicas, 2);
    for (const bool same : {true, false}) {
      for (std::size_t r = 0; r < kReplicas; ++r) fresh->write_spins(0, r, middle[r]);
      fresh->submit(0, parameters, 5, same ? 11 : 12);
      fresh->wait(0);
      CHECK((all_spins(*fresh, 0, kReplicas) == expected) == same);
    }
  }
}

TEST_CASE("the integer paths give the same bits on every instruction set", "[device][contract]") {
  for (const Case& c : cases()) {
    if (c.precision == "float") continue;
    // Last blocks of 33, 21 and 11 replicas.
    for (const std::size_t replicas : {417, 277, 139}) check_instruction_sets(c, replicas);
  }
}
TEST_CASE("quantise() is what the device uses, and keeps what it has made", "[device][contract]") {
  for (const Case& c : cases()) {
    const auto device = loaded(c, 1, 1);
    INFO(c.name << ": " << device->describe());
    for (double beta : {0.0, 1e-12, 1e-6, 1e-3, 0.03, 0.1, 0.5, 1.2, 3.0, 50.0, 1e9}) {
      for (double penalty : {0.0, 0.1, 0.7, 1.2}) {
        const Parameters wanted{beta, beta * penalty};
        const Parameters used = device->quantise(wanted);
        const Parameters again = device->quantise(used);
        CHECK(again.beta == Approx(used.beta).epsilon(1e-12));
        CHECK(again.beta_penalty == Approx(used.beta_penalty).epsilon(1e-12));
        // Within the announced range the ladder keeps its shape to a few per cent.
        if (beta >= 0.03 && beta <= 1.2) {
          CHECK(used.beta == Approx(beta).epsilon(0.05));
          // P is rounded to steps of its own; 1/12 for the heavy g, where steps are coarse.
          CHECK(used.beta_penalty ==
                Approx(used.beta * penalty).epsilon(0.05).margin(used.beta / 12.0));
        }
      }
    }
  }
}

TEST_CASE("a replica's noise does not depend on how many replicas there are",
          "[device][contract]") {
  for (const Case& c : cases()) {
    const auto few = loaded(c, 17, 1);
    const auto many = loaded(c, 200, 2);
    const auto parameters = ladder(*many, 200);
    few->submit(0, std::span(parameters).first(17), 1, 3);
    many->submit(0, parameters, 1, 3);
    few->wait(0);
    many->wait(0);
    INFO(c.name);
    for (std::size_t r = 0; r < 17; ++r) CHECK(few->read_spins(0, r) == many->read_spins(0, r));
  }
}

TEST_CASE("two grids in flight do not disturb each other", "[device][contract]") {
  for (const Case& c : cases()) {
    constexpr std::size_t kReplicas = 300;
    for (const bool one_driver : {false, true}) {
      const auto both = loaded(c, kReplicas, 2, 2, one_driver);
      const auto alone = loaded(c, kReplicas, 1, 2);
      CHECK(both->driver_of(1) == (one_driver ? 0 : 1));  // whose bursts may begin side by side
      const auto parameters = ladder(*both, kReplicas);
      for (std::uint64_t burst = 0; burst < 4; ++burst) {
        both->submit(0, parameters, 40, burst);
        both->submit(1, parameters, 40, burst);
        const BurstResult second = both->wait(1);
        const BurstResult first = both->wait(0);
        CHECK(first.f != second.f);
        alone->submit(0, parameters, 40, burst);
        CHECK(alone->wait(0).f == first.f);
        alone->submit(1, parameters, 40, burst);
        CHECK(alone->wait(1).f == second.f);
      }
    }
  }
}

TEST_CASE("hot is free and cold is greedy", "[device][contract]") {
  for (const Case& c : cases()) {
    const auto device = loaded(c, 64, 1);
    INFO(c.name << ": " << device->describe());
    const std::vector<Parameters> free(64, device->quantise({0.0, 0.0}));
    CHECK(free[0] == Parameters{0.0, 0.0});
    device->submit(0, free, 100, 1);
    device->wait(0);
    double sum = 0.0;
    for (const auto& spins : all_spins(*device, 0, 64)) {
      for (Spin s : spins) sum += s;
    }
    // One draw per spin; 5 sigma, 6e-7.
    CHECK(std::abs(sum) < 5.0 * std::sqrt(64.0 * static_cast<double>(c.model.f.size())));

    const std::vector<Parameters> cold(64, device->quantise({1e300, 0.0}));
    CHECK(std::isfinite(cold[0].beta));
    device->submit(0, cold, 200, 2);
    const std::vector<double> before = device->wait(0).f;
    device->submit(0, cold, 50, 3);
    const std::vector<double> after = device->wait(0).f;
    for (std::size_t r = 0; r < 64; ++r) CHECK(after[r] <= before[r] + 1e-9);
  }
}

TEST_CASE("one p-bit, no couplings, one replica, no sweeps", "[device][contract]") {
  for (const std::string precision : {"auto", "float", "int8"}) {
    for (const std::size_t pbits : {1, 2, 5}) {
      PhysicalModel model;
      model.f = Quadratic(pbits);
      model.g = Quadratic(pbits);
      model.colour.assign(pbits, 0);
      for (const std::size_t replicas : {1, 2, 130}) {
        const auto device = make_device({"cpu", 2, precision});
        LoadOptions options;
        options.replicas = replicas;
        options.beta_max = 1.0;
        device->load(model, options);
        const std::vector<Parameters> all(replicas, device->quantise({0.5, 0.0}));
        for (std::uint64_t sweeps : {0, 1, 7}) {
          device->submit(0, all, sweeps, sweeps);
          const BurstResult& result = device->wait(0);
          REQUIRE(result.f.size() == replicas);
          for (std::size_t r = 0; r < replicas; ++r) {
            CHECK(result.f[r] == 0.0);
            CHECK(result.best_f[r] == 0.0);
            for (Spin s : device->read_spins(0, r)) CHECK(std::abs(s) == 1);
          }
        }
      }
    }
  }
}

TEST_CASE("the model decides the path", "[device][contract]") {
  const auto path_of = [](const PhysicalModel& model, double beta_max, double penalty_max,
                          std::size_t replicas = 1) {
    const auto device = make_device({"cpu", 1, "auto"});
    LoadOptions options;
    options.beta_max = beta_max;
    options.penalty_max = penalty_max;
    options.replicas = replicas;
    device->load(model, options);
    return device->describe();
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const PhysicalModel gaussian = random_model(60, 0.5, 0, true, true, 1);
  CHECK(has(path_of(gaussian, 1.0, 2.0), "int8 path (couplings rounded by at most"));
  CHECK(has(path_of(gaussian, 150.0, 2.0), "float path (single precision; int8 would shift"));
  CHECK(has(path_of(gaussian, 0.0, 0.0), "float path (single precision; couplings would be"));
  CHECK(has(path_of(random_model(60, 0.5, 9, true, true, 2), 0.0, 0.0), "int8 path (exact"));
  CHECK(has(path_of(lattice_model(4, 0.3, 3), 0.0, 0.0, 32), "int8 path (exact"));
  CHECK(has(path_of(lattice_model(4, 0.3, 3), 0.0, 0.0, 512), "bit-sliced"));
  CHECK(has(path_of(random_model(500, 1.0, 1, true, false, 4), 0.0, 0.0, 32), "cached, dense"));
  CHECK(has(path_of(random_model(300, 1.0, 0, true, false, 5), 1.0, 0.0, 32),
            "cached, dense (couplings rounded"));
  CHECK(has(path_of(random_model(3000, 0.002, 90000, true, false, 6), 1.0, 0.0, 32),
            "int32 fields cached, sparse (exact"));
  // Number partitioning: the couplings are products, and its low states lie close together.
  PhysicalModel square;
  square.f = square.g = Quadratic(40);
  const auto number = [](std::uint32_t i) { return 1e5 + 7919.0 * i * i; };
  for (std::uint32_t i = 0; i < 40; ++i) {
    for (std::uint32_t j = i + 1; j < 40; ++j) {
      square.f.couplings.push_back({i, j, -2.0 * number(i) * number(j)});
    }
  }
  CHECK(has(path_of(square, 1.0, 0.0, 32), "f is a square, whose low values"));
  square.f.couplings[400].value *= 1.01;
  CHECK(has(path_of(square, 1.0, 0.0, 32), "cached, dense (couplings rounded"));
  PhysicalModel real_g = gaussian;
  real_g.g.couplings.front().value = 0.123456789012;
  CHECK(has(path_of(real_g, 1.0, 2.0), "float path (single precision; the coefficients of g"));
  CHECK_THROWS_AS(make_device({"cpu", 1, "int8"})->load(real_g, {}), InputError);

  LoadOptions options;
  options.beta_max = 1.2;
  CHECK_FALSE(fit_tables(random_model(90, 0.1, 1, true, false, 13), options).model->f.wide);
  CHECK(fit_tables(gaussian, options).model->f.wide);
}

TEST_CASE("misuse is refused in words", "[device][contract]") {
  CHECK_THROWS_AS(make_device({"gpu", 1, "auto"}), UsageError);
  CHECK_THROWS_AS(make_device({"cpu", 1, "int4"}), UsageError);
  const auto device = make_device({"cpu", 1, "auto"});
  CHECK_THROWS_AS(device->load(PhysicalModel{}, {}), InputError);
  CHECK_THROWS_AS(device->quantise({1.0, 0.0}), DeviceError);
  device->load(random_model(5, 1.0, 0, true, false, 1), {});
  const std::vector<Parameters> one(1), two(2);
  CHECK_THROWS_AS(device->submit(0, two, 1, 0), DeviceError);
  CHECK_THROWS_AS(device->submit(1, one, 1, 0), DeviceError);
  CHECK_THROWS_AS(device->wait(0), DeviceError);
  CHECK_THROWS_AS(device->write_spins(0, 0, std::vector<Spin>(4)), DeviceError);
  CHECK_THROWS_AS(device->read_spins(0, 1), DeviceError);
  device->submit(0, one, 1, 0);
  CHECK_THROWS_AS(device->submit(0, one, 1, 1), DeviceError);
  CHECK_THROWS_AS(device->read_spins(0, 0), DeviceError);
  device->wait(0);
}
