// The loader and the device above the kernel: exact and rounded couplings, limits, grids that fit
// the ring and grids that do not, smaller problems, best states, repeatability.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "device/kernel/kernel_device.hpp"
#include "device/kernel/loader.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

Problem dense_problem(std::size_t spins, std::uint64_t seed, bool integer) {
  Engine engine(seed);
  Problem problem;
  problem.objective = Quadratic(spins);
  problem.objective.offset = 2.5;
  const auto draw = [&] {
    const double value = unit_interval(engine()) * 2.0 - 1.0;
    return integer ? std::round(9.0 * value) : value;
  };
  for (std::uint32_t i = 0; i < spins; ++i) {
    problem.objective.fields[i] = draw();
    for (std::uint32_t j = i + 1; j < spins; ++j) {
      problem.objective.couplings.push_back({i, j, draw()});
    }
  }
  problem.objective.normalise();
  return problem;
}

std::vector<Spin> random_spins(std::size_t count, Engine& engine) {
  std::vector<Spin> spins(count);
  for (Spin& s : spins) s = (engine() >> 63) != 0 ? 1 : -1;
  return spins;
}

std::vector<Parameters> ladder(const Device& device, std::size_t replicas, double beta = 1.0,
                               double beta_penalty = 1.5) {
  std::vector<Parameters> all;
  for (std::size_t r = 0; r < replicas; ++r) {
    const double x = static_cast<double>(r + 1) / static_cast<double>(replicas);
    all.push_back(device.quantise({beta * x, beta_penalty * x}));
  }
  return all;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("integer problems are held exactly", "[hls][device]") {
  const Topology topology = topology_from_name("16x3");
  const PhysicalModel model = embed(dense_problem(16, 1, true), topology).model;
  const KernelImage image(model.f, topology, LoaderOptions{.beta_max = 3.0});
  CHECK(image.report().exact);
  CHECK(image.report().coupling_change == 0.0);
  CHECK(image.report().energy_change == 0.0);
  CHECK(image.largest().beta >= 3.0);
  CHECK(std::round(image.report().scale) == image.report().scale);
}

TEST_CASE("real couplings are rounded, and the change is reported", "[hls][device]") {
  const Topology topology = topology_from_name("16x3");
  const PhysicalModel model = embed(dense_problem(16, 2, false), topology).model;
  double last = 0.0;
  for (unsigned bits : {11U, 8U, 6U}) {
    const KernelImage image(model.f, topology,
                            LoaderOptions{.beta_max = 3.0, .coupling_bits = bits});
    const LoadReport& report = image.report();
    CHECK_FALSE(report.exact);
    CHECK(report.coupling_change > last);
    CHECK(report.coupling_change <= 0.5 / report.scale * (1 + 1e-9));
    CHECK(report.largest_coupling * report.scale < std::ldexp(1.0, static_cast<int>(bits) - 1));
    CHECK(report.energy_change >= report.coupling_change);
    CHECK(describe(report).find("rounded") != std::string::npos);
    last = report.coupling_change;
  }
  const KernelImage full(model.f, topology, LoaderOptions{.beta_max = 3.0});
  CHECK(full.report().coupling_change < 1e-3);
}

TEST_CASE("parameters: rounding is stable and saturation is told", "[hls][device]") {
  const auto device = make_hls_device("hls:8x3");
  const PhysicalModel model = embed(dense_problem(8, 3, true), *device->topology()).model;
  device->load(model, {.replicas = 4, .beta_max = 1.0, .penalty_max = 2.0});
  CHECK(device->notes().empty());
  Engine engine(5);
  for (int i = 0; i < 1000; ++i) {
    const Parameters wanted{unit_interval(engine()), 2.0 * unit_interval(engine())};
    const Parameters got = device->quantise(wanted);
    REQUIRE(device->quantise(got) == got);
    REQUIRE(got.beta == Approx(wanted.beta).margin(1e-6));
    REQUIRE(got.beta_penalty == Approx(wanted.beta_penalty).margin(7e-4));
    // Whole units of the kernel's word: 2 beta P / ln 2 in Q8.8.
    const double units = got.beta_penalty * 512.0 / std::numbers::ln2;
    REQUIRE(units == Approx(std::round(units)).margin(1e-6));
  }
  CHECK(device->quantise({0.0, 0.0}) == Parameters{0.0, 0.0});
  CHECK(device->quantise({1e9, 1e9}).beta_penalty == Approx(88.7).epsilon(0.01));
  device->load(model, {.replicas = 4, .beta_max = 1e6, .penalty_max = 2.0});
  CHECK(device->notes().size() == 2);
  CHECK(device->notes()[0].find("saturates") != std::string::npos);
}

TEST_CASE("f, g and best f equal the model's, on the rounded couplings", "[hls][device]") {
  for (const std::string name : {"16x3", "16x2", "16x1"}) {
    const auto device = make_hls_device("hls:" + name);
    const PhysicalModel model = embed(dense_problem(16, 4, true), *device->topology()).model;
    device->load(model, {.replicas = 40, .seed = 3, .beta_max = 1.0, .penalty_max = 2.0});
    Engine engine(6);
    for (std::size_t r = 0; r < 40; ++r) {
      device->write_spins(0, r, random_spins(model.f.size(), engine));
    }
    const auto parameters = ladder(*device, 40, 0.1, 3.0);
    std::size_t found = 0;
    for (std::uint64_t burst = 0; burst < 5; ++burst) {
      device->submit(0, parameters, 20, burst);
      const BurstResult out = device->wait(0);
      for (std::size_t r = 0; r < 40; ++r) {
        const std::vector<Spin> spins = device->read_spins(0, r);
        REQUIRE(out.f[r] == Approx(model.f(spins)));
        REQUIRE(out.g[r] == Approx(model.g(spins)).margin(1e-12));
        if (std::isinf(out.best_f[r])) continue;
        ++found;
        const std::vector<Spin> best = device->read_spins(0, r, Which::best);
        REQUIRE(model.g(best) == Approx(0.0).margin(1e-12));
        REQUIRE(out.best_f[r] == Approx(model.f(best)));
        if (out.g[r] == 0.0) REQUIRE(out.best_f[r] <= out.f[r]);
      }
    }
    CHECK(found > 20);
  }
}

TEST_CASE("no good state between two swaps is lost", "[hls][device]") {
  // Sweep by sweep, the same states pass by as in one burst of many, if the seeds agree: here the
  // kernel is asked for bursts of 1 and the best of them is compared with their own f.
  const auto device = make_hls_device("hls:8x1");
  const PhysicalModel model = embed(dense_problem(8, 8, true), *device->topology()).model;
  device->load(model, {.replicas = 10, .seed = 1, .beta_max = 1.0});
  const auto parameters = ladder(*device, 10);
  for (std::uint64_t burst = 0; burst < 50; ++burst) {
    device->submit(0, parameters, 1, burst);
    const BurstResult out = device->wait(0);
    REQUIRE(out.best_f == out.f);  // K = 1: every state is feasible, one sweep has one state
  }
}

TEST_CASE("grids are independent of each other and of how they fit the ring", "[hls][device]") {
  const auto run = [](std::size_t grids, std::size_t replicas, std::size_t grid) {
    const auto device = make_hls_device("hls:8x3");
    const PhysicalModel model = embed(dense_problem(8, 4, true), *device->topology()).model;
    device->load(
        model,
        {.grids = grids, .replicas = replicas, .seed = 9, .beta_max = 1.0, .penalty_max = 2.0});
    const auto parameters = ladder(*device, replicas);
    std::vector<double> f;
    for (std::uint64_t burst = 0; burst < 3; ++burst) {
      for (std::size_t g = 0; g < grids; ++g) device->submit(g, parameters, 5, burst);
      for (std::size_t g = 0; g < grids; ++g) device->wait(g);
      f.insert(f.end(), device->wait(grid).f.begin(), device->wait(grid).f.end());
    }
    for (std::size_t r = 0; r < replicas; r += 50) {
      for (Spin s : device->read_spins(grid, r)) f.push_back(s);
    }
    return f;
  };
  CHECK(run(2, 300, 1) == run(3, 300, 1));
  CHECK(run(3, 300, 1) == run(4, 300, 1));  // 1200 replicas share a ring of 1024
  CHECK(run(2, 300, 0) != run(2, 300, 1));
}

TEST_CASE("a run resumes from its spins bit for bit", "[hls][device]") {
  const auto device = make_hls_device("hls:16x2");
  const PhysicalModel model = embed(dense_problem(16, 4, false), *device->topology()).model;
  const LoadOptions options{.replicas = 20, .seed = 2, .beta_max = 1.0, .penalty_max = 2.0};
  device->load(model, options);
  const auto parameters = ladder(*device, 20);
  std::vector<std::vector<Spin>> middle;
  for (std::uint64_t burst = 0; burst < 6; ++burst) {
    if (burst == 3) {
      for (std::size_t r = 0; r < 20; ++r) middle.push_back(device->read_spins(0, r));
    }
    device->submit(0, parameters, 7, burst);
    device->wait(0);
  }
  const BurstResult expected = device->wait(0);
  device->load(model, options);
  for (std::size_t r = 0; r < 20; ++r) device->write_spins(0, r, middle[r]);
  for (std::uint64_t burst = 3; burst < 6; ++burst) {
    device->submit(0, parameters, 7, burst);
    device->wait(0);
  }
  CHECK(device->wait(0).f == expected.f);
  CHECK(device->wait(0).g == expected.g);
  // Changing one replica after a burst keeps the others.
  const std::vector<Spin> other = device->read_spins(0, 4);
  device->write_spins(0, 3, std::vector<Spin>(model.f.size(), 1));
  device->submit(0, parameters, 0, 6);
  CHECK(device->wait(0).f[4] == Approx(expected.f[4]));
  CHECK(device->read_spins(0, 4) == other);
  CHECK(device->read_spins(0, 3) == std::vector<Spin>(model.f.size(), 1));
}

TEST_CASE("a burst's noise is its number's", "[hls][device]") {
  for (const char* name : {"hls:16x2", "hls:16-rows"}) {
    const auto device = make_hls_device(name);
    device->load(embed(dense_problem(16, 4, true), *device->topology()).model,
                 {.replicas = 20, .seed = 2, .beta_max = 1.0, .penalty_max = 2.0});
    const std::vector<Parameters> hot(20, device->quantise({0.01, 0.01}));
    const auto energies = [&](std::uint64_t number) {
      const std::vector<Spin> up(device->read_spins(0, 0).size(), Spin{1});
      for (std::size_t r = 0; r < 20; ++r) device->write_spins(0, r, up);
      device->submit(0, hot, 3, number);
      return device->wait(0).f;
    };
    const std::vector<double> first = energies(1);
    CHECK(energies(2) != first);
    CHECK(energies(1) == first);
  }
}

TEST_CASE("a device may be loaded anew or dropped while a burst runs", "[hls][device]") {
  const auto device = make_hls_device("hls:16x3");
  const PhysicalModel model = embed(dense_problem(16, 4, true), *device->topology()).model;
  const LoadOptions options{.replicas = 100, .beta_max = 1.0, .penalty_max = 2.0};
  device->load(model, options);
  device->submit(0, ladder(*device, 100), 50, 0);
  device->load(model, options);
  device->submit(0, ladder(*device, 100), 50, 0);
  CHECK(device->wait(0).f.size() == 100);
  device->submit(0, ladder(*device, 100), 50, 1);
}

TEST_CASE("a smaller problem leaves the other p-bits out", "[hls][device]") {
  const auto device = make_hls_device("hls:16x3");
  const Embedding small = embed(dense_problem(6, 1, true), *device->topology());
  CHECK(small.pbits() == 18);
  device->load(small.model, {.replicas = 30, .beta_max = 1.0, .penalty_max = 3.0});
  device->submit(0, ladder(*device, 30), 50, 0);
  const BurstResult out = device->wait(0);
  double least = 1e9;
  for (std::size_t r = 0; r < 30; ++r) {
    const std::vector<Spin> spins = device->read_spins(0, r);
    REQUIRE(spins.size() == 18);
    CHECK(out.g[r] == Approx(small.model.g(spins)).margin(1e-12));
    least = std::min(least, out.g[r]);
  }
  CHECK(least == 0.0);
}

TEST_CASE("what does not fit is refused with numbers", "[hls][device]") {
  const auto device = make_hls_device("hls:8x3");
  const Topology& t = *device->topology();
  CHECK(message_of([&] { embed(dense_problem(9, 1, true), t); }) ==
        "problem has 9 spins; topology 8x3 holds 8; the CPU takes it (--device cpu)");
  const PhysicalModel good = embed(dense_problem(8, 1, true), t).model;
  CHECK(message_of([&] { device->load(good, {.replicas = 1025}); }) ==
        "1025 replicas per grid; topology 8x3 holds 1 to 1024");

  PhysicalModel moved =
      good;  // a coupling where the topology has none: both ends moved by one copy
  for (Coupling& c : moved.f.couplings) c.j = (c.j + 8) % 24;
  moved.f.normalise();
  CHECK_THROWS_AS(device->load(moved, {}), InputError);
  PhysicalModel field = good;
  for (std::size_t p = 0; p < 24; ++p) field.f.fields[p] = 1.0;
  CHECK(message_of([&] { device->load(field, {}); }).find("has a field") != std::string::npos);
  PhysicalModel weighted = good;
  weighted.g.couplings[0].value = 2.0;
  CHECK(message_of([&] { device->load(weighted, {}); }).find("weight 2") != std::string::npos);
  PhysicalModel infinite = good;
  infinite.f.couplings[0].value = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(device->load(infinite, {}), InputError);

  CHECK(message_of([] { make_hls_device("hls:7x7"); }).find("this program has 5x2") !=
        std::string::npos);
  CHECK_THROWS_AS(make_hls_device("hls"), UsageError);
  CHECK_THROWS_AS(make_hls_device("hls:8x3"), DeviceError);  // in use
}

TEST_CASE("huge and tiny couplings fit by their scale", "[hls][device]") {
  const Topology topology = topology_from_name("8x1");
  for (double size : {1e-9, 1.0, 1e9}) {
    Problem problem = dense_problem(8, 2, false);
    for (Coupling& c : problem.objective.couplings) c.value *= size;
    for (double& h : problem.objective.fields) h *= size;
    const KernelImage image(embed(problem, topology).model.f, topology,
                            LoaderOptions{.beta_max = 2.0 / size});
    CHECK(image.report().coupling_change < 1e-3 * size);
    CHECK(image.decode(image.encode({1.0 / size, 0.0})).beta == Approx(1.0 / size).epsilon(1e-3));
  }
}
