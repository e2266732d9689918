// 2D parallel tempering with swaps on the host and sweeps in the kernel: planted optima are found,
// and every cell of the ladder has the same averages as on the CPU device.
#include <fmt/format.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <ctime>

#include "device/kernel/kernel_device.hpp"
#include "generate/generate.hpp"
#include "ladder/pilot.hpp"
#include "solve/solver.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

Problem wishart(std::size_t n, std::uint64_t seed) {
  GenerateOptions options;
  options.n = n;
  options.seed = seed;
  options.alpha = 0.75;
  return generate("wishart", options);
}

Ladder make_ladder(std::size_t rows, std::size_t columns) {
  Ladder ladder;
  for (std::size_t i = 0; i < rows; ++i) {
    ladder.beta.push_back(0.7 * std::pow(1.45, static_cast<double>(i)));
  }
  for (std::size_t j = 0; j < columns; ++j) {
    ladder.penalty.push_back(0.5 + 0.25 * static_cast<double>(j));
  }
  return ladder;
}

Result run(Device& device, const Problem& problem, const Ladder& ladder, std::uint64_t sweeps) {
  const Embedding embedding = embed(problem, *device.topology());
  SolveOptions options;
  options.sweeps = sweeps;
  options.sweeps_per_swap = 10;
  options.seed = 3;
  const std::atomic<bool> stop{false};
  return solve(problem, embedding, ladder, device, options, stop);
}

struct Mean {
  double value = 0.0, error = 0.0;
};

// Mean and its error from independent replicas, each a time average.
Mean mean_of(const std::vector<double>& replicas) {
  Mean m;
  double squares = 0.0;
  const auto n = static_cast<double>(replicas.size());
  for (double x : replicas) m.value += x / n;
  for (double x : replicas) squares += (x - m.value) * (x - m.value);
  m.error = std::sqrt(squares / (n - 1.0) / n);
  return m;
}

// f and g of every replica, averaged over bursts.
std::pair<std::vector<double>, std::vector<double>> averages(Device& device,
                                                             const PhysicalModel& model,
                                                             const std::vector<Parameters>& at) {
  std::vector<double> f(at.size(), 0.0), g(at.size(), 0.0);
  Engine engine(5);
  for (std::size_t r = 0; r < at.size(); ++r) {
    std::vector<Spin> spins(model.f.size());
    for (Spin& s : spins) s = (engine() >> 63) != 0 ? 1 : -1;
    device.write_spins(0, r, spins);
  }
  const std::uint64_t bursts = 40;
  device.submit(0, at, 400, 0);
  device.wait(0);
  for (std::uint64_t burst = 1; burst <= bursts; ++burst) {
    device.submit(0, at, 20, burst);
    const BurstResult& out = device.wait(0);
    for (std::size_t r = 0; r < at.size(); ++r) {
      f[r] += out.f[r] / static_cast<double>(bursts);
      g[r] += out.g[r] / static_cast<double>(bursts);
    }
  }
  return {f, g};
}

}  // namespace

TEST_CASE("2D-PT through the kernel finds planted optima", "[hls][tempering]") {
  for (const std::string name : {"16x2", "16x3", "16x1"}) {
    const auto device = make_hls_device("hls:" + name);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Problem problem = wishart(16, seed);
      const Ladder ladder = name == "16x1" ? make_ladder(8, 1) : make_ladder(8, 6);
      const Result result = run(*device, problem, ladder, 4000);
      INFO(name << ", instance " << seed);
      CHECK(result.best.feasible);
      CHECK(result.best.energy == Approx(*problem.known_optimum).epsilon(1e-9));
    }
  }
}

TEST_CASE("kernel and CPU have the same averages at every point of a ladder", "[hls][tempering]") {
  const auto device = make_hls_device("hls:16x3");
  const PhysicalModel model = embed(wishart(16, 7), *device->topology()).model;
  const std::size_t copies = 48;
  const std::vector<Parameters> points{{0.5, 0.2}, {1.0, 0.8}, {1.5, 1.0}, {2.0, 2.0}};
  const LoadOptions options{.grids = 1,
                            .replicas = copies * points.size(),
                            .seed = 1,
                            .beta_min = 0.5,
                            .beta_max = 2.0,
                            .penalty_max = 1.0};
  device->load(model, options);
  const auto cpu = make_device({"cpu", 1, "float"});
  cpu->load(model, options);
  std::vector<Parameters> at;
  for (const Parameters& p : points) at.insert(at.end(), copies, device->quantise(p));
  const auto [kernel_f, kernel_g] = averages(*device, model, at);
  const auto [cpu_f, cpu_g] = averages(*cpu, model, at);
  const auto cell = [&](const std::vector<double>& all, std::size_t point) {
    const auto begin = all.begin() + static_cast<long>(point * copies);
    return mean_of({begin, begin + static_cast<long>(copies)});
  };
  for (std::size_t point = 0; point < points.size(); ++point) {
    // Student's t with about 90 degrees of freedom: beyond 5.8 lies 1e-7; 8 figures.
    const Mean fa = cell(kernel_f, point), fb = cell(cpu_f, point);
    const Mean ga = cell(kernel_g, point), gb = cell(cpu_g, point);
    INFO("beta " << points[point].beta << ": f " << fa.value << " and " << fb.value << ", g "
                 << ga.value << " and " << gb.value);
    CHECK(std::abs(fa.value - fb.value) < 5.8 * std::hypot(fa.error, fb.error));
    CHECK(std::abs(ga.value - gb.value) < 5.8 * std::hypot(ga.error, gb.error));
  }
}

// ---- measurements whose results are in docs/kernel.md ----------------------------------------
namespace {

// Residual energy per spin over Wishart instances of 40 spins: best feasible state of all replicas.
void print_residuals(const std::string& topology, unsigned bits, const Ladder& ladder) {
  const std::uint64_t instances = 12;
  std::vector<double> residuals;
  std::size_t solved = 0;
  for (std::uint64_t seed = 1; seed <= instances; ++seed) {
    const Problem problem = wishart(40, seed);
    KernelDevice device(open_native_port(topology));
    device.limit_coupling_bits(bits);
    const Result result = run(device, problem, ladder, 3000);
    REQUIRE(result.best.feasible);
    residuals.push_back(*result.residual_per_spin);
    solved += residuals.back() < 1e-9 ? 1 : 0;
  }
  const Mean mean = mean_of(residuals);
  fmt::print("{} {:>4} bits: residual per spin {:.4f} +- {:.4f}, optimum in {} of {}\n", topology,
             bits == 0 ? "all" : std::to_string(bits), mean.value, mean.error, solved, instances);
}

}  // namespace

// Without copies the search itself is easy, so that what is left is the rounding.
TEST_CASE("residual energy against the width of couplings, N = 40", "[.long][.widths]") {
  for (unsigned bits : {3U, 4U, 5U, 6U, 8U, 11U, 0U})
    print_residuals("40x1", bits, make_ladder(9, 1));
}

TEST_CASE("residual energy with copies, N = 40", "[.long][.residual]") {
  print_residuals("40x3", 0, make_ladder(8, 7));
}

TEST_CASE("native speed", "[.speed]") {
  for (const std::string name : {"16x3", "100x3", "100x1"}) {
    const auto device = make_hls_device("hls:" + name);
    const Topology& t = *device->topology();
    const PhysicalModel model = embed(wishart(t.options.logical, 1), t).model;
    const std::size_t replicas = 400;
    device->load(model, {.replicas = replicas, .beta_max = 2.0, .penalty_max = 1.0});
    const std::vector<Parameters> at(replicas, device->quantise({1.0, 1.0}));
    double best = 0.0;
    for (std::uint64_t burst = 0; burst < 5; ++burst) {
      // Processor time, which other programs on the machine do not stretch.
      const std::clock_t start = std::clock();
      device->submit(0, at, 20, burst);
      device->wait(0);
      const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      best = std::max(best, static_cast<double>(replicas * 20 * t.pbits()) / took);
    }
    fmt::print("{}: {:.1f} M updates/s a core\n", name, best / 1e6);
    if (name == "100x3") CHECK(best > 10e6);
  }
}
