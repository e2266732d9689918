// The RTL kernel against the HLS kernel, every bit: random tables, states, parameters and seeds,
// fewer and more replicas than the ring is deep, with and without a stalling memory.
#include <catch2/catch.hpp>

#include "device/kernel/kernel_device.hpp"
#include "random_burst.hpp"
#include "rtl_port.hpp"
#include "topology/contract.hpp"
#include "topology/rtl_package.hpp"

namespace chainmail::test {
namespace {

using namespace contract;
constexpr std::uint32_t kEverything = kLoadTables | kLoadSpins | kStoreSpins | kStoreBest;

class Pair {
 public:
  explicit Pair(const std::string& topology)
      : golden_(open_native_port(topology)), rtl_(topology) {}
  const Topology& topology() const { return golden_->topology(); }
  sim::RtlPort& rtl() { return rtl_; }

  void compare(std::uint32_t replicas, std::uint32_t sweeps, std::uint32_t first,
               std::uint64_t seed) {
    Buffers expected = random_buffers(topology(), replicas, sweeps, kEverything, seed);
    expected.first = first;
    Buffers actual = expected;
    run(*golden_, expected);
    run(rtl_, actual);
    INFO(topology().name << ", R = " << replicas << ", sweeps = " << sweeps
                         << ", first = " << first);
    CHECK(difference(expected, actual) == "");
  }

 private:
  std::unique_ptr<KernelPort> golden_;
  sim::RtlPort rtl_;
};

void compare_all(const std::string& name, double stall, bool hesitate) {
  Pair pair(name);
  pair.rtl().kernel().memory().behave(stall > 0 ? sim::AxiBehaviour::stalling(stall, 11)
                                                : sim::AxiBehaviour::kind());
  if (hesitate) pair.rtl().kernel().hesitate(0.3, 5);
  const auto depth = static_cast<std::uint32_t>(rtl_timing(pair.topology()).depth);
  const auto most = static_cast<std::uint32_t>(pair.topology().options.max_replicas);
  std::uint64_t seed = 100;
  for (std::uint32_t replicas : {1U, depth - 1, depth, depth + 1, 64U, most}) {
    if (replicas > most) continue;
    for (std::uint32_t sweeps : {0U, 1U, 2U, 50U}) {
      if (stall > 0 && (replicas == most) != (sweeps == 1)) continue;  // stalls are for the bus
      pair.compare(replicas, sweeps, (most - replicas) / 3, ++seed);
    }
  }
}

}  // namespace

TEST_CASE("RTL equals the HLS kernel in every bit", "[rtl]") {
  const std::string name = GENERATE("5x2", "8x3", "16x2", "16x3", "16x1", "5x2-t9-b17-w2-r16");
  compare_all(name, 0.0, false);
}

TEST_CASE("RTL equals the HLS kernel whatever the memory's stalls", "[rtl]") {
  const std::string name = GENERATE("5x2", "8x3", "16x2", "16x3", "16x1");
  compare_all(name, 0.4, true);
}

}  // namespace chainmail::test
