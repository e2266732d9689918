// The flip kernel in RTL against the HLS one, every bit, and its clocks: a round takes as many as
// there are unfinished replicas, but at least as many as a pass.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>

#include "device/kernel/loader.hpp"
#include "generate/generate.hpp"
#include "kernel_pair.hpp"
#include "topology/flips_topology.hpp"

namespace chainmail::test {
namespace {

using namespace contract;

// Clocks of a pass: cm_flips_core.sv.
std::uint64_t depth_of(const Topology& t) {
  return t.options.forms > 0 || t.options.one_hots ? 17 : t.options.products ? 14 : 13;
}

void compare_all(KernelPair& pair, const std::vector<std::uint32_t>& sweeps_of) {
  const Topology& topology = pair.topology();
  const auto most = static_cast<std::uint32_t>(topology.options.max_replicas);
  std::uint64_t seed = 300;
  for (std::uint32_t replicas : {1U, 2U, 12U, 13U, 14U, 17U, 18U, most - 1, most}) {
    if (replicas > most) continue;
    for (std::uint32_t sweeps : sweeps_of) {
      Buffers b = random_buffers(topology, replicas, sweeps, kEverything, ++seed);
      b.first = (most - replicas) / 3;
      INFO(topology.name << ", R = " << replicas << ", sweeps = " << sweeps << ", "
                         << (b.tables[0] & 0xffff) << " rows");
      CHECK_THAT(pair.compare(b), Catch::Equals(""));
      // Continued with what is on the chip.
      b.flags = kStoreSpins | kStoreBest;
      b.sweeps = 1;
      b.seed += 0x9e37'79b9;
      CHECK_THAT(pair.compare(b), Catch::Equals(""));
    }
    // New spins and a new image for replicas whose fields are on the chip.
    for (std::uint32_t load : {kLoadSpins, kLoadTables}) {
      Buffers b = random_buffers(topology, replicas, 1, load | kStoreSpins | kStoreBest, ++seed);
      b.first = (most - replicas) / 3;
      INFO(topology.name << ", R = " << replicas << ", flags = " << b.flags);
      CHECK_THAT(pair.compare(b), Catch::Equals(""));
    }
  }
}

void compare_both(const std::string& name, const std::vector<std::uint32_t>& sweeps_of) {
  KernelPair pair(name);
  compare_all(pair, sweeps_of);
  pair.kernel().memory().behave(sim::AxiBehaviour::stalling(0.4, 11));
  pair.kernel().hesitate(0.3, 13);
  INFO("with stalls on every channel");
  compare_all(pair, {1U});
}

}  // namespace

#define COMPARE_FLIPS(name, ...)                                                               \
  TEST_CASE("The flip kernel's RTL equals its HLS in every bit: " name, "[flips][" name "]") { \
    compare_both(name, {__VA_ARGS__});                                                         \
  }
COMPARE_FLIPS("16-flips-r5-b17", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("16-flips-r70", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("64-flips", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("64-flips-w64-r40", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("16-flips-r5-b17-p", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("64-flips-p", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("16-flips-r5-b17-f2", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("16-flips-r5-f4-m4-p", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("64-flips-f4-p", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("16-flips-r27-g", 0U, 1U, 2U, 9U)
COMPARE_FLIPS("64-flips-f4-p-g", 0U, 1U, 2U, 9U)

TEST_CASE("The flip kernel's RTL equals its HLS in every bit: 256-flips", "[.long][256-flips]") {
  compare_both("256-flips", {0U, 1U, 3U});
}

TEST_CASE("The flip kernel's RTL equals its HLS in every bit: 1024-flips-w64",
          "[.long][1024-flips-w64]") {
  KernelPair pair("1024-flips-w64");
  CHECK_THAT(pair.compare(random_buffers(pair.topology(), 32, 2, kEverything, 1024)),
             Catch::Equals(""));
  pair.kernel().memory().behave(sim::AxiBehaviour::stalling(0.2, 17));
  CHECK_THAT(pair.compare(random_buffers(pair.topology(), 11, 1, kEverything, 1025)),
             Catch::Equals(""));
}

TEST_CASE("Flip kernel: refusals, errors, resets", "[flips][64-flips]") {
  KernelPair pair("64-flips");
  const Topology& topology = pair.topology();
  Buffers other = random_buffers(topology, 20, 2, kEverything, 1);
  // Without an image there is no burst.
  other.flags = kLoadSpins | kStoreSpins;
  run(pair.rtl(), other);
  CHECK(static_cast<std::uint32_t>(other.status[2]) == kBadImage);
  other.flags = kEverything;
  CHECK_THAT(pair.compare(other), Catch::Equals(""));
  const std::uint64_t mark = other.tables[0] >> 32 << 32;
  for (const std::uint64_t head : {(mark ^ std::uint64_t{1} << 50) | 40, mark | 65, mark}) {
    Buffers bad = other;
    bad.tables[0] = head;
    CHECK_THAT(pair.compare(bad), Catch::Equals(""));
    run(pair.rtl(), bad);
    CHECK(static_cast<std::uint32_t>(bad.status[2]) == kBadImage);
    bad.flags = kStoreSpins;  // still without a good one
    CHECK_THAT(pair.compare(bad), Catch::Equals(""));
  }
  Buffers none = other;
  none.replicas = 0;
  CHECK_THAT(pair.compare(none), Catch::Equals(""));
  none.replicas = 33;
  none.flags = kDescribe;
  CHECK_THAT(pair.compare(none), Catch::Equals(""));

  // A read or write error ends the call, wherever it is; the next one works as usual.
  sim::AxiMemory& memory = pair.kernel().memory();
  const std::pair<sim::RtlPort::Buffer, std::uint64_t> reads[] = {
      {sim::RtlPort::tables, 0},
      {sim::RtlPort::tables, 8 * 40},
      {sim::RtlPort::tables, 8 * (topology.image_words() - 1)},
      {sim::RtlPort::spins, 8},
      {sim::RtlPort::parameters, 8}};
  for (const auto& [buffer, at] : reads) {
    memory.fail_reads(pair.rtl().base(buffer) + at, 8, sim::Response::slave_error);
    Buffers failing = random_buffers(topology, 20, 3, kEverything, 4);
    run(pair.rtl(), failing);
    CHECK(pair.kernel().read_register(kStatusMirror + 4 * kWordCode) == kReadError);
    memory.heal();
    CHECK_THAT(pair.compare(random_buffers(topology, 31, 2, kEverything, 6)), Catch::Equals(""));
  }
  for (const auto buffer : {sim::RtlPort::results, sim::RtlPort::best}) {
    memory.fail_writes(pair.rtl().base(buffer) + 8, 8, sim::Response::slave_error);
    Buffers failing = random_buffers(topology, 20, 3, kEverything, 4);
    run(pair.rtl(), failing);
    CHECK(pair.kernel().read_register(kStatusMirror + 4 * kWordCode) == kWriteError);
    memory.heal();
    CHECK_THAT(pair.compare(random_buffers(topology, 31, 2, kEverything, 6)), Catch::Equals(""));
  }
  // A reset anywhere.
  for (std::uint64_t clocks = 3; clocks < 8000; clocks = clocks * 6 / 5 + 1) {
    Buffers cut = random_buffers(topology, 20, 3, kEverything, 8);
    pair.rtl().interrupt_call(cut.call(), clocks);
    if (clocks % 4 == 0) {
      CHECK_THAT(pair.compare(random_buffers(topology, 13, 1, kEverything, 10)), Catch::Equals(""));
    }
  }
  CHECK_THAT(pair.compare(random_buffers(topology, 31, 2, kEverything, 10)), Catch::Equals(""));
}

TEST_CASE("Flip kernel: more sweeps than 16 bits count", "[flips][16-flips-r5-b17]") {
  KernelPair pair("16-flips-r5-b17");
  Buffers b = random_buffers(pair.topology(), 5, 66'000, kEverything, 7);
  b.parameters[1] = (b.parameters[1] & 0xffff'ffff) | std::uint64_t{0xffff} << 48;
  b.parameters[2] &= 0xffff'ffff;
  CHECK_THAT(pair.compare(b), Catch::Equals(""));
}

namespace {

// Nothing flips if all fields are strong and all spins follow them, so every pass advances one
// chunk: the passes are known, and the clocks are those of rounds.
void check_rounds(const std::string& name) {
  sim::RtlPort port(name);
  const Topology& t = port.topology();
  const std::uint64_t depth = depth_of(t);
  for (const std::uint32_t replicas : {1U, 5U, 13U, 14U, 18U, 32U}) {
    Buffers b = random_buffers(t, replicas, 10, kEverything, 2);
    for (std::size_t i = 0; i < t.pbits(); ++i) {
      std::uint64_t* record = b.tables.data() + 2 + i * (1 + t.tables);
      std::fill(record, record + 1 + t.tables, 0);
      record[0] = 100'000;  // all fields point up
    }
    std::fill(b.spins.begin(), b.spins.end(), ~std::uint64_t{0});
    b.tables[0] = t.pbits() | (t.hash & 0xffff'ffff) << 32;
    for (std::uint32_t r = 0; r < replicas; ++r) {
      b.parameters[r] = 0xff'ffff | std::uint64_t{r % 2 == 0 ? 0U : 40U} << left_out_bit(t.options);
    }
    run(port, b);
    b.flags = 0;
    const auto clocks = [&](std::uint32_t sweeps) {
      b.sweeps = sweeps;
      run(port, b);
      return port.sweep_clocks();
    };
    // Odd replicas skip 40 sweeps: all of 40.
    const std::uint64_t even = (replicas + 1) / 2, chunks = 4;
    const std::uint64_t few = clocks(40), more = clocks(140), most = clocks(240);
    CHECK(clocks(40) - clocks(20) == 20 * chunks * std::max(even, depth));
    const std::uint64_t both = std::max<std::uint64_t>(replicas, depth);
    const std::uint64_t alone = std::max(even, depth);
    CHECK(most - more == 100 * chunks * both);
    CHECK(more - few == 100 * chunks * both);
    // Besides its rounds a burst without a load reads parameters, seeds and takes a few more
    // clocks.
    CHECK(few - 40 * chunks * alone <= 100 + replicas + both);
  }
}

}  // namespace

TEST_CASE("Flip kernel: a round takes max(unfinished, 13) clocks", "[flips][64-flips]") {
  check_rounds("64-flips");
}
TEST_CASE("Flip kernel: with products it takes max(unfinished, 14)", "[flips][64-flips-p]") {
  check_rounds("64-flips-p");
}
TEST_CASE("Flip kernel: with forms it takes max(unfinished, 17)", "[flips][64-flips-f4-p]") {
  check_rounds("64-flips-f4-p");
}

namespace {

// Replicas of neighbouring rungs change places, the even or the odd pairs.
void swap_rungs(Buffers& b, const KernelImage& image, std::vector<std::size_t>& replica_of,
                unsigned round, Engine& engine) {
  const auto f = [&](std::size_t r) {
    return image.energy(static_cast<std::int32_t>(b.results[2 * r]));
  };
  for (std::size_t k = round % 2; k + 1 < replica_of.size(); k += 2) {
    std::size_t &hot = replica_of[k], &cold = replica_of[k + 1];
    const double gain =
        (image.decode(b.parameters[cold]).beta - image.decode(b.parameters[hot]).beta) *
        (f(cold) - f(hot));
    const double draw = static_cast<double>(engine() >> 11) * 0x1p-53;
    if (draw >= std::exp(gain)) continue;
    std::swap(b.parameters[hot], b.parameters[cold]);
    std::swap(hot, cold);
  }
}

}  // namespace

// What a ladder costs: 32 rungs of a dense problem in equilibrium, bursts of 50 sweeps.
TEST_CASE("Flip kernel: clocks of a ladder sweep at N = 1,000", "[.long][1024-flips-w64]") {
  KernelPair pair("1024-flips-w64");
  const Topology& t = pair.topology();
  GenerateOptions options;
  options.n = 1000;
  const double unit = 1.0 / std::sqrt(1000.0);
  const KernelImage image(embed(generate("sk", options), t).model.f, t,
                          LoaderOptions{.beta_max = 6 * unit});
  Engine engine(3);
  Buffers b = random_buffers(t, 32, 10, kEverything, 5);
  b.tables = image.tables();
  std::vector<std::size_t> replica_of(32);
  for (std::size_t k = 0; k < 32; ++k) {
    replica_of[k] = k;
    b.parameters[k] = image.encode({unit * std::pow(6.0, static_cast<double>(k) / 31.0), 0.0});
  }
  for (unsigned round = 0; round < 100; ++round) {
    b.seed = engine();
    run(pair.golden(), b);
    b.flags = kStoreSpins;
    swap_rungs(b, image, replica_of, round, engine);
  }
  // The hottest rungs skip 40 of the 50 sweeps: those that `solve` would let.
  const auto hot = [&](std::size_t k) { return image.decode(b.parameters[k]).beta < 1.6 * unit; };
  const auto rungs =
      static_cast<std::size_t>(std::count_if(replica_of.begin(), replica_of.end(), hot));
  CHECK(rungs == 9);
  for (const std::size_t cut : {std::size_t{0}, rungs}) {
    for (std::size_t k = 0; k < cut; ++k) {
      b.parameters[replica_of[k]] |= std::uint64_t{40} << flips_contract::kLeftOutBit;
    }
    b.flags = kLoadTables | kLoadSpins;
    b.sweeps = 0;
    CHECK_THAT(pair.compare(b), Catch::Equals(""));  // fields are computed here
    b.flags = kStoreSpins | kStoreBest;
    b.sweeps = 50;
    CHECK_THAT(pair.compare(b), Catch::Equals(""));
    const double clocks = static_cast<double>(pair.rtl().sweep_clocks()) / 50.0;
    std::cout << fmt::format(
        "1024-flips-w64, 1,000 spins, 32 rungs, {} at 10 of 50 sweeps: {:.0f} "
        "clocks a ladder sweep\n",
        cut, clocks);
    CHECK(clocks <= (cut == 0 ? 4300 : 2400));
  }
}

}  // namespace chainmail::test
