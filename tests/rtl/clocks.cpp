// The promise of the ring, measured: one replica-sweep a clock when the replicas fill it.
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

void check_full_ring(const std::string& name) {
  sim::RtlPort port(name);
  const auto depth = static_cast<std::uint32_t>(rtl_timing(port.topology()).depth);
  clocks_of(port, 1, 0);  // the first call after a reset waits until the ring is empty
  for (std::uint32_t replicas : {depth, 2 * depth}) {
    const std::uint64_t few = clocks_of(port, replicas, 10), many = clocks_of(port, replicas, 60);
    CHECK(many - few == std::uint64_t{50} * replicas);
  }
  // With no memory traffic but the parameters: start, read R words, sweep, leave the ring.
  const std::uint32_t replicas = 2 * depth, sweeps = 50;
  Buffers b = random_buffers(port.topology(), replicas, sweeps, 0, 5);
  run(port, b);
  const std::uint64_t slots = std::uint64_t{replicas} * sweeps;
  const std::uint64_t extra = port.sweep_clocks() - slots - replicas;
  std::cout << fmt::format(
      "{}: R = {}, {} sweeps: {} clocks = R * sweeps + {} to read parameters + {} (ring depth "
      "{})\n",
      name, replicas, sweeps, port.sweep_clocks(), replicas, extra, depth);
  CHECK(extra <= 64 + depth);
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

TEST_CASE("Fewer replicas than the ring is deep cost bubbles, not results", "[5x2]") {
  sim::RtlPort port("5x2");
  const auto depth = static_cast<std::uint32_t>(rtl_timing(port.topology()).depth);
  const std::uint64_t few = clocks_of(port, 1, 10), many = clocks_of(port, 1, 60);
  CHECK(many - few == std::uint64_t{50} * depth);
}

}  // namespace chainmail::test
