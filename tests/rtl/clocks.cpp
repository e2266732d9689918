// The ring's throughput, measured: one replica-sweep per clock when the replicas fill it.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iostream>

#include "kernel_pair.hpp"
#include "topology/rtl_package.hpp"

namespace chainmail::test {
namespace {

// From the start of a call to the end of its last sweep.
std::uint64_t clocks_of(sim::RtlPort& port, std::uint32_t replicas, std::uint32_t sweeps) {
  Buffers b = random_buffers(port.topology(), replicas, sweeps, kEverything, 5);
  run(port, b);
  return port.sweep_clocks();
}

// What a burst takes beyond R * sweeps and the reading of its parameters.
std::uint64_t extra_clocks(sim::RtlPort& port, std::uint32_t replicas, std::uint32_t sweeps) {
  const std::uint64_t before = port.kernel().memory().statistics().reading;
  Buffers b = random_buffers(port.topology(), replicas, sweeps, 0, 5);
  run(port, b);
  const std::uint64_t reading = port.kernel().memory().statistics().reading - before;
  return port.sweep_clocks() - std::uint64_t{replicas} * sweeps - reading;
}

void check_full_ring(const std::string& name) {
  sim::RtlPort port(name);
  const auto depth = static_cast<std::uint32_t>(rtl_timing(port.topology()).depth);
  clocks_of(port, 1, 0);  // the first call after a reset waits until the ring is empty
  for (std::uint32_t replicas : {depth, 2 * depth}) {
    const std::uint64_t few = clocks_of(port, replicas, 10), many = clocks_of(port, replicas, 60);
    CHECK(many - few == std::uint64_t{50} * replicas);
  }
  // With no memory traffic but the parameters: start, read R words, sweep, leave the ring. Seeding
  // takes 68 clocks in parallel with reading, so it shows only if R words arrive sooner than that;
  // the latency here is less than any card's (about 100 ns, 25 clocks at 250 MHz).
  sim::AxiBehaviour card;
  card.latency = 25;
  port.kernel().memory().behave(card);
  for (std::uint32_t replicas : {depth, 2 * depth, 8 * depth}) {
    const std::uint32_t sweeps = 50;
    if (replicas > port.topology().options.max_replicas) continue;
    const std::uint64_t extra = extra_clocks(port, replicas, sweeps);
    std::cout << fmt::format(
        "{}: R = {}, {} sweeps: {} clocks = R * sweeps + {} of reading + {} (ring depth {})\n",
        name, replicas, sweeps, port.sweep_clocks(),
        port.sweep_clocks() - std::uint64_t{replicas} * sweeps - extra, extra, depth);
    // Two colours: 64 clocks for everything. A stage per spin has its own depth to fill.
    CHECK(extra <= (port.topology().stages.size() == 2 ? 64 : depth + 64));
  }
}

}  // namespace

TEST_CASE("A full ring finishes one replica-sweep every clock: 5x2", "[5x2]") {
  check_full_ring("5x2");
}
TEST_CASE("A full ring finishes one replica-sweep every clock: 16x3", "[16x3]") {
  check_full_ring("16x3");
}
TEST_CASE("A full ring finishes one replica-sweep every clock: 16x1", "[16x1]") {
  check_full_ring("16x1");
}
TEST_CASE("A full ring finishes one replica-sweep every clock: lattice-3x3", "[lattice-3x3]") {
  check_full_ring("lattice-3x3");
}
TEST_CASE("A large ring finishes one replica-sweep every clock", "[.long]") {
  check_full_ring(GENERATE("100x3", "lattice-5x5x5", "lattice-8x8x8", "graph-200-48f7e4e9"));
}

TEST_CASE("Fewer replicas than the ring is deep cost bubbles, not results", "[5x2]") {
  sim::RtlPort port("5x2");
  const auto depth = static_cast<std::uint32_t>(rtl_timing(port.topology()).depth);
  const std::uint64_t few = clocks_of(port, 1, 10), many = clocks_of(port, 1, 60);
  CHECK(many - few == std::uint64_t{50} * depth);
}

}  // namespace chainmail::test
