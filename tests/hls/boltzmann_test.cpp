// The kernel samples exp(-beta f - beta P g): against exact enumeration, for chain arrays and the
// dense ring, with fewer, as many and more replicas than the pipeline is deep.
#include <catch2/catch.hpp>
#include <cmath>

#include "../random_problem.hpp"
#include "device/kernel/kernel_device.hpp"
#include "exact.hpp"
#include "support/random.hpp"
#include "topology/hls_header.hpp"

using namespace chainmail;

namespace {

// Couplings and fields of order 1, integers over 8 so that the tables hold them exactly.
Problem random_problem(std::size_t spins, std::uint64_t seed) {
  return test::random_problem(spins, seed, 0.125);
}

struct Sampled {
  std::vector<std::size_t> counts;
  double f = 0.0, g = 0.0;
  std::size_t samples = 0;
};

// Every replica gives one sample a burst; `gap` sweeps lie between samples of one replica.
Sampled sample(Device& device, const PhysicalModel& model, std::size_t replicas,
               const Parameters& at, std::size_t samples, std::uint64_t gap) {
  device.load(
      model,
      {.grids = 1, .replicas = replicas, .seed = replicas, .beta_max = 2.0, .penalty_max = 4.0});
  const std::vector<Parameters> parameters(replicas, device.quantise(at));
  Sampled result;
  result.counts.assign(std::size_t{1} << model.f.size(), 0);
  device.submit(0, parameters, 200, 0);
  device.wait(0);
  for (std::uint64_t burst = 1; result.samples < samples; ++burst) {
    device.submit(0, parameters, gap, burst);
    const BurstResult& out = device.wait(0);
    for (std::size_t r = 0; r < replicas; ++r) {
      const std::vector<Spin> spins = device.read_spins(0, r);
      REQUIRE(out.f[r] == Approx(model.f(spins)).margin(1e-9));
      REQUIRE(out.g[r] == Approx(model.g(spins)).margin(1e-9));
      ++result.counts[exact::state_number(spins)];
      result.f += out.f[r];
      result.g += out.g[r];
      ++result.samples;
    }
  }
  result.f /= static_cast<double>(result.samples);
  result.g /= static_cast<double>(result.samples);
  return result;
}

void check_against_exact(Device& device, const PhysicalModel& model, std::size_t replicas,
                         const Parameters& wanted, std::size_t samples, std::uint64_t gap) {
  const Sampled got = sample(device, model, replicas, wanted, samples, gap);
  const exact::Averages truth = exact::boltzmann(model, device.quantise(wanted));
  const exact::Distance distance = exact::compare(truth.probability, got.counts);
  INFO(device.describe() << ", " << replicas << " replicas, beta " << wanted.beta << ", beta P "
                         << wanted.beta_penalty << ": TV " << distance.total_variation);
  CHECK(distance.total_variation < distance.limit);
  // 5 sigma of the mean of independent samples, 6e-7 for each figure.
  const double n = std::sqrt(static_cast<double>(got.samples));
  CHECK(std::abs(got.f - truth.f) < 5.0 * truth.f_sigma / n);
  CHECK(std::abs(got.g - truth.g) <= 5.0 * truth.g_sigma / n + 1e-12);
}

void check_topology(const std::string& name, std::size_t spins, std::uint64_t gap) {
  const auto device = make_hls_device("hls:" + name);
  const Topology& topology = *device->topology();
  const PhysicalModel model = embed(random_problem(spins, 5), topology).model;
  const std::size_t depth = hls_depth(topology);
  for (const Parameters at : {Parameters{0.3, 0.1}, Parameters{0.5, 0.4}}) {
    for (std::size_t replicas :
         {std::size_t{1}, std::size_t{7}, depth - 1, depth, std::size_t{64}}) {
      // One replica pays a thread and a pipeline of bubbles for every sample: fewer of them.
      check_against_exact(*device, model, replicas, at, replicas < 8 ? 4000 : 20000, gap);
    }
  }
}

}  // namespace

TEST_CASE("5x2 samples the Boltzmann distribution", "[hls][boltzmann]") {
  check_topology("5x2", 5, 20);
}

TEST_CASE("a smaller problem on 8x3 samples the Boltzmann distribution", "[hls][boltzmann]") {
  check_topology("8x3", 4, 25);
}

TEST_CASE("the dense ring 8x1 samples the Boltzmann distribution", "[hls][boltzmann]") {
  check_topology("8x1", 8, 15);
}

TEST_CASE("the iCE40 topology samples the Boltzmann distribution", "[hls][boltzmann]") {
  const auto device = make_hls_device("hls:5x2-t9-b17-w2-r16");
  const PhysicalModel model = embed(random_problem(5, 6), *device->topology()).model;
  check_against_exact(*device, model, 16, {0.4, 0.3}, 20000, 20);
}

TEST_CASE("all of 8x3: averages of f and g", "[hls][boltzmann]") {
  // All 2^24 states, with one flip between one and the next (Gray code).
  const auto device = make_hls_device("hls:8x3");
  const PhysicalModel model = embed(random_problem(8, 9), *device->topology()).model;
  const Parameters wanted{0.4, 0.5};
  device->load(model, {.grids = 1, .replicas = 200, .seed = 4, .beta_max = 1.0});
  const Parameters at = device->quantise(wanted);
  std::vector<Spin> spins(24, -1);
  const auto j = adjacency(model.f), links = adjacency(model.g);
  double f = model.f(spins), g = model.g(spins), z = 0, sf = 0, sg = 0, sff = 0, sgg = 0;
  for (std::uint32_t s = 0; s < 1U << 24; ++s) {
    const double weight = std::exp(-at.beta * f - at.beta_penalty * g);
    z += weight;
    sf += weight * f;
    sg += weight * g;
    sff += weight * f * f;
    sgg += weight * g * g;
    if (s + 1 == 1U << 24) break;
    const auto flip = static_cast<std::size_t>(__builtin_ctz(~s & 0xffffff));
    double pull = model.f.fields[flip], chain = 0;
    for (const Neighbour& n : j[flip]) pull += n.value * spins[n.spin];
    for (const Neighbour& n : links[flip]) chain += n.value * spins[n.spin];
    f += 2 * spins[flip] * pull;
    g += 2 * spins[flip] * chain;
    spins[flip] = static_cast<Spin>(-spins[flip]);
  }
  const double mean_f = sf / z, mean_g = sg / z;
  const double sigma_f = std::sqrt(sff / z - mean_f * mean_f);
  const double sigma_g = std::sqrt(sgg / z - mean_g * mean_g);

  const std::vector<Parameters> parameters(200, at);
  double got_f = 0, got_g = 0;
  const int bursts = 100;
  for (int burst = 0; burst <= bursts; ++burst) {
    device->submit(0, parameters, burst == 0 ? 300 : 30, static_cast<std::uint64_t>(burst));
    const BurstResult& out = device->wait(0);
    if (burst == 0) continue;
    for (std::size_t r = 0; r < 200; ++r) {
      got_f += out.f[r] / (200 * bursts);
      got_g += out.g[r] / (200 * bursts);
    }
  }
  // 5 sigma, 6e-7; 30 sweeps between samples are several autocorrelation times here.
  CHECK(std::abs(got_f - mean_f) < 5.0 * sigma_f / std::sqrt(200.0 * bursts));
  CHECK(std::abs(got_g - mean_g) < 5.0 * sigma_g / std::sqrt(200.0 * bursts));
}

TEST_CASE("without fields no spin prefers a direction", "[hls][boltzmann]") {
  const auto device = make_hls_device("hls:8x1");
  Problem problem = random_problem(8, 3);
  problem.objective.fields.assign(8, 0.0);
  const PhysicalModel model = embed(problem, *device->topology()).model;
  const Sampled got = sample(*device, model, 64, {0.4, 0.0}, 64000, 10);
  for (std::size_t p = 0; p < 8; ++p) {
    double mean = 0.0;
    for (std::size_t s = 0; s < got.counts.size(); ++s) {
      mean += (s >> p & 1) != 0 ? static_cast<double>(got.counts[s])
                                : -static_cast<double>(got.counts[s]);
    }
    // 5 sigma of a fair coin, 6e-7.
    CHECK(std::abs(mean) < 5.0 * std::sqrt(static_cast<double>(got.samples)));
  }
}
