// Arrays wired for a graph: names and files say which, only what is wired runs, and every state
// comes up as often as enumeration says.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>

#include "../temporary_folder.hpp"
#include "device/kernel/identify.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/kernel/native_kernel.hpp"
#include "exact.hpp"
#include "generate/generate.hpp"
#include "run/selftest.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"
#include "topology/status_block.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

const std::string kCycle = "graph-6-84c9a448";

std::vector<std::uint64_t> status_of(const Topology& topology) {
  const StatusBlock block = status_block(topology);
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < block.size(); i += 2) {
    words.push_back(block[i] | std::uint64_t{block[i + 1]} << 32);
  }
  return words;
}

// Couplings of one size, so that the activation's error is the same at every p-bit: it cannot
// average out as with random couplings.
void check_distribution(const std::string& name, double beta, std::size_t samples) {
  const auto device = make_hls_device("hls:" + name);
  const Topology& topology = *device->topology();
  Problem problem;
  problem.objective = Quadratic(topology.options.logical);
  for (const Edge& e : graph_of(topology).edges) {
    const double sign = hash_of(3, {e.i, e.j}) % 2 == 0 ? 1.0 : -1.0;
    problem.objective.couplings.push_back({e.i, e.j, sign});
  }
  const PhysicalModel model = embed(problem, topology).model;
  constexpr std::size_t kReplicas = 500;
  device->load(model, {.grids = 1, .replicas = kReplicas, .seed = 5, .beta_max = 1.0});
  const Parameters used = device->quantise({beta, 0.0});
  const std::vector<Parameters> parameters(kReplicas, used);
  std::vector<std::size_t> counts(std::size_t{1} << model.f.size(), 0);
  for (std::uint64_t burst = 0; burst <= samples / kReplicas; ++burst) {
    device->submit(0, parameters, burst == 0 ? 200 : 20, burst);
    const BurstResult& out = device->wait(0);
    for (std::size_t r = 0; burst > 0 && r < kReplicas; ++r) {
      const std::vector<Spin> spins = device->read_spins(0, r);
      REQUIRE(out.f[r] == model.f(spins));
      ++counts[exact::state_number(spins)];
    }
  }
  const std::vector<double> ideal = exact::boltzmann(model, used).probability;
  const std::vector<double> kernel = exact::sampled_by_kernel(model, used.beta);
  const exact::Distance from_kernel = exact::compare(kernel, counts);
  const exact::Distance from_ideal = exact::compare(ideal, counts);
  const double activation = exact::total_variation(kernel, ideal);
  const std::string found = fmt::format(
      "{} at beta {}: {} samples are {:.5f} from the kernel's own distribution (limit {:.5f}) and "
      "{:.5f} from Boltzmann's; these two are {:.5f} apart",
      name, beta, samples, from_kernel.total_variation, from_kernel.limit,
      from_ideal.total_variation, activation);
  if (samples > 100'000) std::cout << found << "\n";
  INFO(found);
  CHECK(from_kernel.total_variation < from_kernel.limit);
  // docs/kernel.md: at most 0.0016 at each p-bit.
  CHECK(activation < 0.0016 * static_cast<double>(model.f.size()));
}

}  // namespace

TEST_CASE("a lattice is wired where the generator couples it", "[hls][wired]") {
  for (const std::size_t side : {2, 3, 4, 5}) {
    GenerateOptions options;
    options.n = side;
    const std::vector<Edge> edges = lattice_edges({side, side, side});
    CHECK(edges == graph_of(generate("ea3d", options)).edges);
    CHECK(edges.size() == (side == 2 ? 12 : 3 * side * side * side));
  }
  CHECK(lattice_edges({3, 2, 0}) ==
        std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}});
}

TEST_CASE("a graph is known by its file, and a bad one is refused by its line", "[hls][wired]") {
  const Topology t = known_topology(kCycle);
  CHECK(t.name == kCycle);
  CHECK(t.stages.size() == 2);
  const WiredGraph graph = graph_of(t);
  const std::string text = graph_text(graph);
  CHECK(text == "6 6\n0 1\n0 5\n1 2\n2 3\n3 4\n4 5\n");
  CHECK(parse_graph(text, "a").edges == graph.edges);
  CHECK(topology_from_name(kCycle + "-t9-r16", text).options.max_replicas == 16);
  CHECK(graph_mark({6, graph.edges}) != graph_mark({7, graph.edges}));
  CHECK_THROWS_WITH(topology_from_name(kCycle), Contains("edges of a graph are not in its name"));
  CHECK_THROWS_WITH(topology_from_name(kCycle, "6 1\n0 1\n"), Contains("is that of graph-6-"));
  const std::pair<const char*, const char*> refused[] = {
      {"", "a:1: expected the numbers of spins and edges, found ''"},
      {"6 x\n", "a:1: "},
      {"6 2\n0 1\n", "a:3: expected edge 2 of 2, found ''"},
      {"6 1\n1 0\n", "a:2: expected edge 1 of 1 behind the one before, two spins below 6"},
      {"6 1\n0 6\n", "found 0 6"},
      {"6 1\n0 -1\n", "a:2: expected edge 1 of 1, found '0 -1'"},
      {"6 2\n0 1\n0 1\n", "a:3: "},
      {"6 1\n0 1 1\n", "a:2: "},
      {"6 1\n0 1\n0 2\n", "a:3: expected the end after 1 edges"}};
  for (const auto& [bad, message] : refused) {
    CHECK_THROWS_WITH(parse_graph(bad, "a"), Contains(message));
  }
}

TEST_CASE("a wired kernel is known by its status block", "[hls][wired]") {
  for (const char* name : {"lattice-3x3", "lattice-2x2x2", "lattice-8x8x8-r256"}) {
    const Topology t = known_topology(name);
    CHECK(t.name == name);
    CHECK(options_in(status_of(t)) == t.options);
    CHECK(topology_of(status_of(t), "board").name == name);
  }
  const TemporaryFolder folder;
  const std::string file = folder.file("a.edges");
  const std::vector<std::uint64_t> status = status_of(known_topology(kCycle));
  CHECK_THROWS_WITH(topology_of(status, "board", file),
                    Contains("board: the kernel is wired for a graph of 6 spins") &&
                        Contains("must be in " + file));
  write_file(file, graph_text(graph_of(known_topology(kCycle))));
  CHECK(topology_of(status, "board", file).name == kCycle);
  write_file(file, "6 2\n0 1\n0 2\n");
  CHECK_THROWS_WITH(topology_of(status, "board", file), Contains("which this program"));
}

TEST_CASE("only what is wired runs, and the two spins are named", "[hls][wired]") {
  GenerateOptions options;
  options.n = 3;
  const Problem cube = generate("ea3d", options);
  CHECK_THROWS_WITH(
      embed(cube, known_topology("lattice-5x5x5")),
      "topology lattice-5x5x5: spins 0 and 2 are coupled, but not wired to each other");
  CHECK_THROWS_WITH(embed(cube, known_topology("lattice-3x3")), Contains("holds 9"));
  // Labels count, not shapes: the cycle the other way round the table is another graph.
  Problem cycle;
  cycle.objective = Quadratic(6);
  cycle.objective.couplings = {{0, 1, 1.0}, {0, 5, 1.0}, {1, 2, 1.0}};
  CHECK(embed(cycle, known_topology(kCycle)).model.f.couplings.size() == 3);
  cycle.objective.couplings = {{0, 2, 1.0}};
  CHECK_THROWS_WITH(embed(cycle, known_topology(kCycle)), Contains("spins 0 and 2"));
}

TEST_CASE("wired arrays sample the Boltzmann distribution", "[hls][wired]") {
  check_distribution("lattice-3x3", 0.5, 10'000);
  check_distribution("lattice-2x2x2", 0.3, 10'000);
  check_distribution(kCycle, 0.1, 10'000);
}

TEST_CASE("many samples show the activation's error, and nothing else", "[.wired-samples]") {
  for (const std::string& name : {std::string("lattice-3x3"), kCycle}) {
    for (const double beta : {0.1, 0.5}) check_distribution(name, beta, 500'000);
  }
}

TEST_CASE("wired kernels pass the self-test", "[hls][wired]") {
  const auto device = make_hls_device("hls:" + kCycle);
  run_selftest(*device, [&](const SelftestCheck& check) {
    INFO(check.name << ": " << check.finding);
    CHECK(check.passed);
  });
}
