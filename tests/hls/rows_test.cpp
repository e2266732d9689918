// The row kernel against an independent model in every buffer, its refusals, what it keeps between
// calls, and the distribution it samples.
#include <catch2/catch.hpp>
#include <cmath>

#include "../random_problem.hpp"
#include "../random_rows.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/kernel/loader.hpp"
#include "device/kernel/native_kernel.hpp"
#include "exact.hpp"
#include "reference_rows.hpp"
#include "support/error.hpp"
#include "topology/contract.hpp"
#include "topology/hls_header.hpp"
#include "topology/status_block.hpp"

using namespace chainmail;
using namespace chainmail::contract;
using chainmail::test::random_problem;

namespace {

constexpr std::uint32_t kEverything = kLoadTables | kLoadSpins | kStoreSpins | kStoreBest;
constexpr std::uint64_t kUntouched = 0xa5a5a5a5a5a5a5a5;

class Rows {
 public:
  explicit Rows(const std::string& name)
      : topology(topology_from_name(name)), kernel_(native_kernel(name)) {}

  std::uint32_t run(reference::Call& c) {
    c.status.assign(8, kUntouched);
    const auto words = [](std::vector<std::uint64_t>& v) {
      return reinterpret_cast<KernelWord*>(v.data());
    };
    kernel_.burst(words(c.tables), words(c.parameters), words(c.spins), words(c.best),
                  words(c.results), words(c.status), c.first, c.replicas, c.sweeps, c.flags,
                  c.seed);
    return static_cast<std::uint32_t>(c.status[kWordCode / 2]);
  }

  reference::Call random_call(std::uint32_t replicas, std::uint32_t sweeps, Engine& engine) {
    reference::Call call;
    const std::size_t n = topology.pbits();
    const std::size_t rows = engine() % 2 == 0 ? n : 1 + engine() % n;
    call.tables = test::random_rows(topology, rows, engine);
    for (std::uint32_t r = 0; r < replicas; ++r) {
      const std::uint64_t beta = engine() >> 40 >> engine() % topology.options.beta_bits;
      const std::uint64_t penalty = engine() >> 40 >> engine() % topology.options.beta_bits;
      // Hot ones draw members of groups by noise alone, so that ties show which comes first.
      call.parameters.push_back(engine() % 4 == 0 ? 0 : beta | penalty << 32);
    }
    for (std::size_t w = 0; w < replicas * topology.state_words(); ++w) {
      call.spins.push_back(engine());
    }
    call.best.assign(call.spins.size(), kUntouched);
    call.results.assign(2 * std::size_t{replicas}, kUntouched);
    call.replicas = replicas;
    call.sweeps = sweeps;
    call.flags = kEverything;
    call.seed = engine();
    return call;
  }

  const Topology topology;

 private:
  const NativeKernel& kernel_;
};

void compare(const reference::Call& expected, const reference::Call& actual) {
  CHECK(expected.results == actual.results);
  CHECK(expected.spins == actual.spins);
  CHECK(expected.best == actual.best);
}

}  // namespace

TEST_CASE("row kernel: every buffer as a reader's model has it", "[hls][rows]") {
  for (const std::string name :
       {"16-rows", "16-rows-l4-b17-w2-r24", "40-rows-l2", "64-rows-l4-r16", "100-rows-l8",
        "128-rows", "16-rows-f2", "16-rows-l4-b17-w2-r24-f4-m4-p-g", "40-rows-l2-f4", "40-rows-p",
        "64-rows-l4-r16-g", "100-rows-l8-f2-p-g"}) {
    Rows rows(name);
    reference::RowKernel model(hls_header(rows.topology));
    Engine engine(7 + rows.topology.pbits());
    const auto most = static_cast<std::uint32_t>(rows.topology.options.max_replicas);
    for (const std::uint32_t replicas : {1U, 2U, 5U, most / 3 + 1, most}) {
      for (const std::uint32_t sweeps : {0U, 1U, 3U}) {
        reference::Call call = rows.random_call(replicas, sweeps, engine);
        call.first = static_cast<std::uint32_t>(engine() % (most - replicas + 1));
        reference::Call expected = call;
        INFO(name << ", " << replicas << " replicas from " << call.first << ", " << sweeps
                  << " sweeps");
        REQUIRE(rows.run(call) == kOk);
        model.run(expected);
        compare(expected, call);

        // Continued: f is known, spins and image stay.
        call.flags = expected.flags = kStoreSpins | kStoreBest;
        call.sweeps = expected.sweeps = sweeps + 1;
        call.seed = expected.seed = engine();
        REQUIRE(rows.run(call) == kOk);
        model.run(expected);
        compare(expected, call);
      }
    }
  }
}

TEST_CASE("row kernel: f is right after loads that no burst came with", "[hls][rows]") {
  Rows rows("40-rows-l2");
  reference::RowKernel model(hls_header(rows.topology));
  Engine engine(3);
  reference::Call first = rows.random_call(20, 2, engine), second = rows.random_call(20, 2, engine);
  const std::vector<std::uint64_t> other = second.tables;
  for (const std::uint32_t load : {kLoadSpins | kNoBurst, kLoadTables | kNoBurst}) {
    for (const std::uint32_t sweeps : {0U, 2U}) {
      reference::Call call = first;
      reference::Call expected = call;
      REQUIRE(rows.run(call) == kOk);
      model.run(expected);
      second.flags = load;
      second.tables = load == (kLoadSpins | kNoBurst) ? first.tables : other;
      REQUIRE(rows.run(second) == kOk);
      reference::Call loaded = second;
      model.run(loaded);
      second.flags = kStoreSpins;
      second.sweeps = sweeps;
      loaded = second;
      REQUIRE(rows.run(second) == kOk);
      model.run(loaded);
      compare(loaded, second);
    }
  }
}

TEST_CASE("row kernel: refusals and the status block", "[hls][rows]") {
  Rows rows("40-rows-l2");
  Engine engine(11);
  const reference::Call good = rows.random_call(8, 1, engine);
  const auto code = [&](auto change) {
    reference::Call call = good;
    change(call);
    const reference::Call before = call;
    const std::uint32_t got = rows.run(call);
    compare(before, call);  // nothing is written
    return got;
  };
  CHECK(code([](auto& c) { c.replicas = 0; }) == kBadReplicas);
  CHECK(code([](auto& c) { c.replicas = 129; }) == kBadReplicas);
  CHECK(code([](auto& c) { c.first = 121; }) == kBadReplicas);
  CHECK(code([](auto& c) { c.flags |= 64; }) == kBadFlags);
  CHECK(code([](auto& c) { c.tables[0] ^= std::uint64_t{1} << 40; }) == kBadImage);
  CHECK(code([](auto& c) { c.tables[0] = (c.tables[0] & ~0xffffULL) | 41; }) == kBadImage);
  CHECK(code([](auto& c) { c.tables[0] &= ~0xffffffffULL; }) == kBadImage);
  // No good image since: bursts are refused until there is one.
  CHECK(code([](auto& c) { c.flags = kStoreSpins; }) == kBadImage);
  CHECK(code([](auto& c) { c.flags = kDescribe; }) == kOk);

  reference::Call call = good;
  call.flags = kDescribe;
  rows.run(call);
  const TopologyOptions told = options_in(call.status);
  CHECK(told == rows.topology.options);
  CHECK(call.status[kWordHashLow / 2] == rows.topology.hash);
}

TEST_CASE("row kernel samples the Boltzmann distribution", "[hls][rows]") {
  for (const auto& [name, replicas] :
       {std::pair("16-rows", 40u), std::pair("40-rows-l2", 90u), std::pair("100-rows-l8", 17u)}) {
    exact::check_kernel(name, replicas);
  }
}

TEST_CASE("row images: exact, rounded, refused", "[hls][rows]") {
  const Topology topology = topology_from_name("256-rows");
  const auto image_of = [&](const Problem& problem) {
    return KernelImage(embed(problem, topology).model.f, topology, LoaderOptions{.beta_max = 3.0});
  };
  CHECK(image_of(random_problem(200, 1, 0.5)).report().exact);
  const KernelImage rounded = image_of(random_problem(200, 2, std::sqrt(2.0) / 7.0));
  CHECK_FALSE(rounded.report().exact);
  CHECK(rounded.report().coupling_change <= 0.5 / rounded.report().scale * (1 + 1e-9));
  CHECK(rounded.report().largest_coupling * rounded.report().scale < 128.0);
  // A field far larger than the couplings has its own word and does not affect them.
  Problem tilted = random_problem(100, 3, 1.0);
  tilted.objective.fields[17] = 100'000.0;
  const KernelImage wide = image_of(tilted);
  CHECK(wide.report().exact);
  CHECK(wide.tables().size() == 4 + 100 * topology.row_words());
  CHECK_THROWS_AS(embed(random_problem(257, 1, 1.0), topology), InputError);

  const auto device = make_hls_device("hls:256-rows");
  Problem constrained = random_problem(10, 1, 1.0);
  PhysicalModel model = embed(constrained, topology).model;
  model.g.couplings.push_back({0, 1, 1.0});
  CHECK_THROWS_WITH(device->load(model, {}), Catch::Contains("without constraints"));
  constrained.constraint = model.g;
  CHECK_THROWS_WITH(embed(constrained, topology), Catch::Contains("without constraints"));
}

TEST_CASE("names of row topologies", "[hls][rows]") {
  for (const std::string name :
       {"16-rows", "256-rows-l8", "64-rows-l4-r16", "16-rows-l4-b17-w2-r24", "2048-rows",
        "256-rows-f2", "256-rows-l8-f4-m64-p-g", "40-rows-p", "40-rows-g"}) {
    const Topology t = topology_from_name(name);
    CHECK(t.name == name);
    CHECK(t.lane_codes.size() == t.options.lanes);
  }
  CHECK(topology_from_name("64-rows-l4-r16").options.max_replicas == 64);
  CHECK(topology_from_name("256-rows").row_words() == 40);
  CHECK(topology_from_name("256-rows-f4").row_words() == 44);
  CHECK(topology_from_name("300-rows-f2-p").row_words() == 40 + 4 + 8 + 4);
  CHECK(topology_from_name("256-rows-f0").name == "256-rows");
  CHECK(topology_from_name("256-rows-f4").hash != topology_from_name("256-rows-f4-m8").hash);
  CHECK(topology_from_name("256-rows").hash != topology_from_name("256-rows-l2").hash);
  for (const std::string name :
       {"rows", "16-row", "16-rowsx", "16-rows-l0", "16-rows-l3", "16-rows-t9", "7-rows", "16x2-l3",
        "5000-rows", "16-rows-palt", "16-rows-f3", "16-rows-m4", "16-rows-f2-m3", "16-rows-g1",
        "16x2-f2", "16x2-g"}) {
    CHECK_THROWS_AS(topology_from_name(name), UsageError);
  }
}
