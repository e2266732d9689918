// The flip kernel against an independent model in every buffer, its refusals, what it keeps between
// calls, and the distribution it samples.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>

#include "../random_flips.hpp"
#include "../random_problem.hpp"
#include "device/group/group_device.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/kernel/loader.hpp"
#include "exact.hpp"
#include "kernel_bench.hpp"
#include "reference_flips.hpp"
#include "solve/solver.hpp"
#include "support/error.hpp"
#include "topology/flips_topology.hpp"
#include "topology/hls_header.hpp"
#include "topology/status_block.hpp"

using namespace chainmail;
using namespace chainmail::contract;

namespace {

constexpr std::uint32_t kEverything = kLoadTables | kLoadSpins | kStoreSpins | kStoreBest;

// Hot and cold replicas; some skip sweeps, some all of them.
reference::Burst random_burst(const Topology& t, std::uint32_t replicas, std::uint32_t sweeps,
                              Engine& engine) {
  reference::Burst burst;
  const std::size_t n = t.pbits();
  burst.tables = test::random_flips(t, engine() % 2 == 0 ? n : 1 + engine() % n, engine);
  for (std::uint32_t r = 0; r < replicas; ++r) {
    const std::uint64_t beta = engine() >> 40 >> engine() % t.options.beta_bits;
    const std::uint64_t out = engine() % 3 == 0 ? engine() % (sweeps + 2) : 0;
    const std::uint64_t penalty = (engine() & 0xff'ffff) >> engine() % 24;
    const unsigned bit = left_out_bit(t.options);
    burst.parameters.push_back(beta | (bit == 48 ? penalty & 0xffff : penalty) << 32 | out << bit);
  }
  for (std::size_t w = 0; w < replicas * t.state_words(); ++w) burst.spins.push_back(engine());
  burst.replicas = replicas;
  burst.sweeps = sweeps;
  burst.seed = engine();
  return burst;
}

// Kernel and model side by side: the same calls, the same buffers.
class Pair {
 public:
  explicit Pair(const std::string& name)
      : bench(name), model(hls_header(bench.topology)), name_(name) {}

  void call(reference::Burst& burst, std::uint32_t first, std::uint32_t flags) {
    reference::Call call{burst.tables, burst.parameters, burst.spins, {}, {}, {}};
    call.best.assign(burst.spins.size(), hls_bench::Bench::kUntouched);
    call.results.assign(2 * std::size_t{burst.replicas}, hls_bench::Bench::kUntouched);
    call.first = first;
    call.replicas = burst.replicas;
    call.sweeps = burst.sweeps;
    call.flags = flags;
    call.seed = burst.seed;
    model.run(call);
    const reference::Outcome out = bench.call(burst, first, flags);
    INFO(name_ << ", " << burst.replicas << " replicas from " << first << ", " << burst.sweeps
               << " sweeps, flags " << flags);
    REQUIRE(out.results == call.results);
    REQUIRE(out.spins == call.spins);
    REQUIRE(out.best == call.best);
    burst.spins = out.spins;
  }

  hls_bench::Bench bench;
  reference::FlipKernel model;

 private:
  std::string name_;
};

}  // namespace

TEST_CASE("flip kernel: every buffer as a reader's model has it", "[hls][flips]") {
  for (const std::string name :
       {"16-flips", "16-flips-r5-b17", "64-flips", "64-flips-w64-r40", "128-flips",
        "16-flips-r5-b17-p", "64-flips-p", "128-flips-p", "16-flips-r5-b17-f2",
        "16-flips-r5-f4-m4-p", "64-flips-f4-p", "16-flips-r27-g", "64-flips-f4-p-g"}) {
    Pair pair(name);
    const Topology& t = pair.bench.topology;
    Engine engine(7 + t.pbits());
    const auto most = static_cast<std::uint32_t>(t.options.max_replicas);
    for (const std::uint32_t replicas : {1U, 2U, 5U, most / 3 + 1, most}) {
      for (const std::uint32_t sweeps : {0U, 1U, 5U}) {
        reference::Burst burst = random_burst(t, replicas, sweeps, engine);
        const auto first = static_cast<std::uint32_t>(engine() % (most - replicas + 1));
        pair.call(burst, first, kEverything);
        // Continued: image, spins and fields stay.
        burst.sweeps = sweeps + 1;
        burst.seed = engine();
        pair.call(burst, first, kStoreSpins | kStoreBest);
      }
    }
    // Most draws flip nothing, which is what the kernel is for.
    CHECK(pair.model.turns > 100);
    CHECK(pair.model.passes > pair.model.turns);
  }
}

TEST_CASE("flip kernel: a long burst is the same however it is cut into slabs", "[hls][flips]") {
  Pair pair("16-flips");
  Engine engine(29);
  for (const std::uint32_t replicas : {1U, 7U, 32U}) {
    reference::Burst burst = random_burst(pair.bench.topology, replicas, 150, engine);
    pair.call(burst, 0, kEverything);
  }
}

TEST_CASE("flip kernel: fields are right after loads that no burst came with", "[hls][flips]") {
  Pair pair("64-flips");
  Engine engine(3);
  const Topology& t = pair.bench.topology;
  for (int round = 0; round < 20; ++round) {
    reference::Burst burst = random_burst(t, 9, 2, engine);
    const auto first = static_cast<std::uint32_t>(engine() % 20);
    if (round == 0) pair.call(burst, first, kEverything);
    reference::Burst all = random_burst(t, 32, 1, engine);
    if (round % 5 == 0) pair.call(all, 0, kLoadSpins | kNoBurst);
    if (round % 3 == 0) pair.call(burst, first, kLoadTables | kNoBurst);
    if (round % 2 == 0) pair.call(burst, first, kLoadSpins | kNoBurst);
    burst.sweeps = static_cast<std::uint32_t>(round % 4);
    pair.call(burst, first, kStoreSpins | kStoreBest);
    burst.sweeps = 1;
    pair.call(burst, first, kStoreSpins);
  }
}

TEST_CASE("flip kernel: refusals and the status block", "[hls][flips]") {
  hls_bench::Bench bench("64-flips");
  Engine engine(11);
  const reference::Burst good = random_burst(bench.topology, 8, 1, engine);
  const auto code = [&](auto change, std::uint32_t first = 0, std::uint32_t flags = kEverything) {
    reference::Burst burst = good;
    change(burst);
    const reference::Outcome out = bench.call_unchecked(burst, first, flags);
    for (const std::uint64_t word : out.results) CHECK(word == hls_bench::Bench::kUntouched);
    for (const std::uint64_t word : out.best) CHECK(word == hls_bench::Bench::kUntouched);
    return bench.code();
  };
  const auto nothing = [](auto&) {};
  CHECK(code([](auto& b) { b.replicas = 0; }) == kBadReplicas);
  CHECK(code([](auto& b) { b.replicas = 33; }) == kBadReplicas);
  CHECK(code(nothing, 25) == kBadReplicas);
  CHECK(code(nothing, 0, kEverything | 64) == kBadFlags);
  CHECK(code([](auto& b) { b.tables[0] ^= std::uint64_t{1} << 40; }) == kBadImage);
  CHECK(code([](auto& b) { b.tables[0] = (b.tables[0] & ~0xffffULL) | 65; }) == kBadImage);
  CHECK(code([](auto& b) { b.tables[0] &= ~0xffffffffULL; }) == kBadImage);
  // No good image since: bursts are refused until there is one.
  CHECK(code(nothing, 0, kStoreSpins) == kBadImage);
  CHECK(code(nothing, 0, kDescribe) == kOk);
  StatusBlock told{};
  for (std::uint32_t w = 0; w < kStatusWords; ++w) told[w] = bench.status_word(w);
  CHECK(told == status_block(bench.topology));
  std::vector<std::uint64_t> words;
  for (std::uint32_t w = 0; w < kStatusWords; w += 2) {
    words.push_back(told[w] | std::uint64_t{told[w + 1]} << 32);
  }
  CHECK(options_in(words) == bench.topology.options);
}

TEST_CASE("flip kernel samples the Boltzmann distribution", "[hls][flips]") {
  for (const auto& [name, replicas] :
       {std::pair("16-flips", 32u), std::pair("64-flips-w64-r40", 17u)}) {
    exact::check_kernel(name, replicas);
  }
}

TEST_CASE("hot replicas of a flip kernel run a fifth of a burst's sweeps", "[hls][flips]") {
  const Problem problem = test::random_problem(40, 3, 1.0);
  const auto run = [&](double skip_below, std::uint64_t sweeps, std::uint64_t skipped) {
    const auto device = make_hls_device("hls:64-flips");
    device->load(embed(problem, *device->topology()).model,
                 {.replicas = 8, .beta_min = 0.1, .beta_max = 0.8, .skip_below = skip_below});
    std::vector<Parameters> rows;
    for (int r = 1; r <= 8; ++r) rows.push_back(device->quantise({0.1 * r, 0.0}));
    device->submit(0, rows, sweeps, 0);
    const BurstResult& out = device->wait(0);
    CHECK(out.skipped == skipped);
    return out.f;
  };
  // Where all are hot, eleven sweeps are those of a burst of three.
  CHECK(run(2.0, 11, 8 * 8) == run(0.0, 3, 0));
  CHECK(run(0.45, 11, 4 * 8) != run(0.0, 11, 0));
  CHECK(run(2.0, 1, 0) == run(0.0, 1, 0));
}

TEST_CASE("a solve counts only the sweeps that hot rows run", "[hls][flips]") {
  const Problem problem = test::random_problem(40, 3, 1.0);
  Ladder ladder;
  for (int r = 1; r <= 8; ++r) ladder.beta.push_back(0.1 * r);
  ladder.penalty = {0.0};
  SolveOptions options;
  options.sweeps = 100;
  options.sweeps_per_swap = 10;
  options.search.skip_below = 0.45;
  const std::atomic<bool> stop{false};
  for (const std::size_t tiles : {1, 2}) {
    std::vector<std::unique_ptr<Device>> members;
    members.push_back(make_hls_device("hls:64-flips"));
    const auto device = make_group_device(std::move(members), {.tiles = tiles});
    const Embedding embedding = embed(problem, *device->topology());
    const Result result = solve(problem, embedding, ladder, *device, options, stop);
    CHECK(result.updates == (8 * 100 - 4 * 80) * embedding.pbits());
  }
}

TEST_CASE("flip images: exact, rounded, refused", "[hls][flips]") {
  const Topology topology = topology_from_name("256-flips");
  const auto image_of = [&](const Problem& problem) {
    return KernelImage(embed(problem, topology).model.f, topology, LoaderOptions{.beta_max = 3.0});
  };
  CHECK(image_of(test::random_problem(200, 1, 0.5)).report().exact);
  const KernelImage rounded = image_of(test::random_problem(200, 2, std::sqrt(2.0) / 7.0));
  CHECK_FALSE(rounded.report().exact);
  CHECK(rounded.report().coupling_change <= 0.5 / rounded.report().scale * (1 + 1e-9));
  CHECK(rounded.report().largest_coupling * rounded.report().scale < 128.0);
  CHECK(rounded.tables().size() == topology.image_words());
  // Only their clamp keeps unused rows from flipping at every draw.
  for (std::size_t i = 0; i < 256; ++i) {
    const std::uint64_t* record = rounded.tables().data() + 2 + i * (1 + 256 / 8);
    CHECK((record[0] >> 32) == (i < 200 ? 0 : 1));
    if (i >= 200) CHECK(std::all_of(record + 1, record + 33, [](auto word) { return word == 0; }));
  }
  CHECK_THROWS_AS(embed(test::random_problem(257, 1, 1.0), topology), InputError);

  const auto device = make_hls_device("hls:256-flips");
  Problem constrained = test::random_problem(10, 1, 1.0);
  PhysicalModel model = embed(constrained, topology).model;
  model.g.couplings.push_back({0, 1, 1.0});
  CHECK_THROWS_WITH(device->load(model, {}), Catch::Contains("without constraints"));
  constrained.constraint = model.g;
  CHECK_THROWS_WITH(embed(constrained, topology), Catch::Contains("without constraints"));
}

TEST_CASE("names of flip topologies", "[hls][flips]") {
  for (const std::string name :
       {"16-flips", "64-flips-w64", "1024-flips-w64-r64", "2048-flips-b17-r512", "64-flips-p",
        "64-flips-f2", "64-flips-f4-m64-p", "64-flips-g"}) {
    const Topology t = topology_from_name(name);
    CHECK(t.name == name);
    CHECK(t.lane_codes.size() == t.options.lanes);
    CHECK(t.image_words() == 2 + t.pbits() * (1 + t.options.forms + t.pbits() / 8 +
                                              (t.options.products ? t.state_words() : 0)));
    CHECK(kernel_function(t.options) == "pbit_flips");
  }
  CHECK(topology_from_name("64-flips-w16-r32").name == "64-flips");
  CHECK(topology_from_name("64-flips").hash != topology_from_name("64-flips-r31").hash);
  CHECK(topology_from_name("64-flips").hash != topology_from_name("64-flips-w64").hash);
  CHECK(topology_from_name("64-flips").hash != topology_from_name("64-flips-p").hash);
  CHECK(topology_from_name("64-flips-f2").hash != topology_from_name("64-flips-f4").hash);
  CHECK(topology_from_name("64-flips-f4-m16").name == "64-flips-f4");
  CHECK(topology_from_name("64-flips-f4").hash != topology_from_name("64-flips-f4-m8").hash);
  for (const std::string name :
       {"flips", "16-flip", "16-flipsx", "16-flips-w0", "16-flips-w8", "16-flips-w64", "40-flips",
        "4096-flips", "8-flips", "64-flips-r0", "64-flips-r513", "64-flips-l2", "64-flips-f3",
        "64-flips-w64-f4", "64-flips-f4-m3", "64-flips-m4", "64-flips-palt", "64-flips-t9"}) {
    CHECK_THROWS_AS(topology_from_name(name), UsageError);
  }
}
