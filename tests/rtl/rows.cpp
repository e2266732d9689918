// The row kernel in RTL against the HLS one, every bit, and its throughput: a row takes as many
// clocks as a lane has replicas, whatever the memory's latency.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iostream>

#include "kernel_pair.hpp"

namespace chainmail::test {
namespace {

using namespace contract;

void stall(sim::RtlKernel& kernel, double probability, std::uint64_t seed) {
  kernel.memory().behave(sim::AxiBehaviour::stalling(probability, seed));
  sim::AxiBehaviour rows = sim::AxiBehaviour::stalling(probability, seed + 1);
  rows.reorder = false;  // one ID
  kernel.image_memory().behave(rows);
  kernel.hesitate(0.3, seed + 2);
}

void compare_all(KernelPair& pair, const std::vector<std::uint32_t>& sweeps_of) {
  const Topology& topology = pair.topology();
  const auto most = static_cast<std::uint32_t>(topology.options.max_replicas);
  const auto lanes = static_cast<std::uint32_t>(topology.options.lanes);
  std::uint64_t seed = 300;
  for (std::uint32_t replicas : {1U, lanes + 1, 11 * lanes, 17 * lanes - 1, most}) {
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
  }
}

}  // namespace

#define COMPARE_ROWS(name, ...)                                                              \
  TEST_CASE("The row kernel's RTL equals its HLS in every bit: " name, "[rows][" name "]") { \
    KernelPair pair(name);                                                                   \
    compare_all(pair, {__VA_ARGS__});                                                        \
    stall(pair.kernel(), 0.4, 11);                                                           \
    INFO("with stalls on every channel");                                                    \
    compare_all(pair, {1U});                                                                 \
  }
COMPARE_ROWS("16-rows", 0U, 1U, 2U, 9U)
COMPARE_ROWS("16-rows-l4-b17-w2-r24", 0U, 1U, 2U, 9U)
COMPARE_ROWS("40-rows-l2", 0U, 1U, 5U)
COMPARE_ROWS("64-rows-l4-r16", 0U, 1U, 5U)
COMPARE_ROWS("100-rows-l8", 0U, 1U, 2U)
COMPARE_ROWS("128-rows", 0U, 1U, 2U)
COMPARE_ROWS("256-rows", 0U, 2U)
COMPARE_ROWS("16-rows-f2", 0U, 1U, 2U, 9U)
COMPARE_ROWS("40-rows-l2-f4", 0U, 1U, 5U)
COMPARE_ROWS("40-rows-p", 0U, 1U, 5U)
COMPARE_ROWS("16-rows-l4-b17-w2-r24-f4-m4-p-g", 0U, 1U, 2U, 9U)
COMPARE_ROWS("64-rows-l4-r16-g", 0U, 1U, 5U)

TEST_CASE("The row kernel's RTL equals its HLS in every bit: 100-rows-l8-f2-p-g",
          "[.long][100-rows-l8-f2-p-g]") {
  KernelPair pair("100-rows-l8-f2-p-g");
  compare_all(pair, {0U, 2U});
  stall(pair.kernel(), 0.4, 11);
  compare_all(pair, {1U});
}

TEST_CASE("The row kernel's RTL equals its HLS in every bit: 1024-rows", "[.long][1024-rows]") {
  KernelPair pair("1024-rows");
  Buffers b = random_buffers(pair.topology(), 64, 2, kEverything, 1024);
  CHECK_THAT(pair.compare(b), Catch::Equals(""));
  stall(pair.kernel(), 0.2, 17);
  CHECK_THAT(pair.compare(random_buffers(pair.topology(), 21, 1, kEverything, 1025)),
             Catch::Equals(""));
}

TEST_CASE("Row kernel: loads without a burst, refusals, errors", "[rows][40-rows-l2]") {
  KernelPair pair("40-rows-l2");
  const Topology& topology = pair.topology();
  Buffers b = random_buffers(topology, 20, 2, kEverything, 1);
  CHECK_THAT(pair.compare(b), Catch::Equals(""));
  Buffers other = random_buffers(topology, 20, 1, kLoadSpins | kNoBurst, 2);
  CHECK_THAT(pair.compare(other), Catch::Equals(""));
  const std::vector<std::uint32_t> several{kStoreSpins | kStoreBest,
                                           kLoadTables | kNoBurst,
                                           kStoreSpins,
                                           kDescribe,
                                           kNoBurst | kStoreSpins,
                                           64U};
  for (const std::uint32_t flags : several) {
    other.flags = flags;
    CHECK_THAT(pair.compare(other), Catch::Equals(""));
  }
  other.flags = kEverything;
  const std::uint64_t mark = other.tables[0] >> 32 << 32;
  for (const std::uint64_t head : {(mark ^ std::uint64_t{1} << 50) | 40, mark | 41, mark}) {
    Buffers bad = other;
    bad.tables[0] = head;
    bad.status[2] = 0;
    CHECK_THAT(pair.compare(bad), Catch::Equals(""));
    run(pair.golden(), bad);
    CHECK(static_cast<std::uint32_t>(bad.status[2]) == kBadImage);
    bad.flags = kStoreSpins;  // still without a good one
    CHECK_THAT(pair.compare(bad), Catch::Equals(""));
  }
  other.replicas = 0;
  CHECK_THAT(pair.compare(other), Catch::Equals(""));

  // A row that cannot be read ends the call, wherever the burst is; the next one works as usual.
  sim::AxiMemory& image = pair.kernel().image_memory();
  for (const std::uint64_t at : {0U, 32U, 32U * 17, 32U * 90}) {
    image.fail_reads(pair.rtl().base(sim::RtlPort::tables) + at, 32, sim::Response::slave_error);
    Buffers failing = random_buffers(topology, 20, 3, kEverything, 4);
    run(pair.rtl(), failing);
    CHECK(pair.kernel().read_register(kStatusMirror + 4 * kWordCode) == kReadError);
    image.heal();
    CHECK_THAT(pair.compare(random_buffers(topology, 31, 2, kEverything, 6)), Catch::Equals(""));
  }
  // Parameters that cannot be read, while rows are in flight.
  pair.kernel().memory().fail_reads(pair.rtl().base(sim::RtlPort::parameters) + 8, 8,
                                    sim::Response::slave_error);
  Buffers failing = random_buffers(topology, 20, 3, kEverything, 12);
  run(pair.rtl(), failing);
  CHECK(pair.kernel().read_register(kStatusMirror + 4 * kWordCode) == kReadError);
  pair.kernel().memory().heal();
  CHECK_THAT(pair.compare(random_buffers(topology, 31, 2, kEverything, 14)), Catch::Equals(""));
  // A reset anywhere.
  for (std::uint64_t clocks = 3; clocks < 4000; clocks = clocks * 5 / 4 + 1) {
    Buffers cut = random_buffers(topology, 20, 3, kEverything, 8);
    pair.rtl().interrupt_call(cut.call(), clocks);
  }
  CHECK_THAT(pair.compare(random_buffers(topology, 31, 2, kEverything, 10)), Catch::Equals(""));
}

TEST_CASE("Row kernel: an image begins at a whole beat, for a load and for a burst",
          "[rows][40-rows-l2]") {
  KernelPair pair("40-rows-l2");
  sim::RtlPort& port = pair.rtl();
  Buffers good = random_buffers(pair.topology(), 5, 1, kEverything, 1);
  CHECK_THAT(pair.compare(good), Catch::Equals(""));
  for (const std::uint32_t flags : {kLoadTables | kNoBurst, 0U}) {
    for (const std::uint32_t skew : {1U, 2U, 4U, 8U, 16U}) {
      INFO("flags " << flags << ", " << skew << " bytes off");
      Buffers b = good;
      b.flags = flags;
      port.prepare(b.call());
      port.kernel().write_register(
          offset_of("tables"), static_cast<std::uint32_t>(port.base(sim::RtlPort::tables)) + skew);
      port.start_prepared();
      port.kernel().run_until_done(100'000);
      port.collect(b.call());
      CHECK(static_cast<std::uint32_t>(b.status[kWordCode / 2]) == kBadPointer);
      CHECK(b.results == good.results);
    }
  }
  good.flags = kStoreSpins | kStoreBest;  // what was there is still there
  CHECK_THAT(pair.compare(good), Catch::Equals(""));
}

TEST_CASE("Row kernel: a replica a clock and lane behind a slow memory", "[rows][256-rows]") {
  for (const std::string name : {"100-rows-l8", "40-rows-l2-f4", "256-rows"}) {
    sim::RtlPort port(name);
    const Topology& t = port.topology();
    sim::AxiBehaviour slow;
    slow.latency = 150;
    slow.stall_read = slow.stall_read_address = 0.5;
    port.kernel().image_memory().behave(slow);
    slow.stall_read = slow.stall_read_address = 0.0;
    port.kernel().memory().behave(slow);
    const auto replicas = static_cast<std::uint32_t>(t.options.max_replicas);
    Buffers b = random_buffers(t, replicas, 1, kEverything, 2);
    run(port, b);
    b.flags = 0;
    const auto burst = [&](std::uint32_t sweeps) {
      b.sweeps = sweeps;
      const auto& rows = port.kernel().image_memory().statistics();
      const std::uint64_t beats = rows.read_beats;
      const std::uint64_t reading = port.kernel().memory().statistics().reading;
      run(port, b);
      const std::uint64_t parameters = port.kernel().memory().statistics().reading - reading;
      return std::array{port.sweep_clocks(), rows.read_beats - beats, parameters};
    };
    const auto few = burst(2), many = burst(12);
    const double a_sweep = static_cast<double>(many[0] - few[0]) / 10.0;
    const auto ideal = static_cast<double>(t.pbits() * t.lane_replicas());
    const double bytes = 32.0 * static_cast<double>(many[1] - few[1]) / 10.0;
    const double image = 8.0 * static_cast<double>(t.image_words());
    std::cout << fmt::format(
        "{}: {:.1f} clocks a sweep, {:.4f} of N R, a burst of 2 takes {} more, {} of them reading "
        "words; {:.4f} of the image a sweep\n",
        name, a_sweep, a_sweep / ideal, few[0] - 2 * static_cast<std::uint64_t>(ideal), few[2],
        bytes / image);
    CHECK(a_sweep <= 1.01 * ideal);
    CHECK(few[0] - 2 * static_cast<std::uint64_t>(ideal) - few[2] <= 200);
    CHECK(bytes <= 1.05 * image);
  }
}

}  // namespace chainmail::test
