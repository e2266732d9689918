// The custom logic of an F2 instance, reached by the driver's own loads and stores, against the HLS
// kernel: every bit.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace chainmail::test {
namespace {

using namespace contract;

void compare_calls(const std::string& core, const sim::ShellBehaviour& behaviour) {
  sim::SimulatedF2 f2({core}, behaviour);
  const auto port = open_slot(0);
  CHECK(port->topology().name == core);
  const auto golden = open_native_port(core);
  const auto most = static_cast<std::uint32_t>(port->topology().options.max_replicas);
  const auto compare = [&](const Buffers& input) {
    Buffers expected = input, actual = input;
    run(*golden, expected);
    run(*port, actual);
    return difference(expected, actual);
  };
  std::uint64_t seed = 700;
  for (const std::uint32_t replicas : {1U, 5U, most}) {
    for (const std::uint32_t sweeps : {0U, 1U, 20U}) {
      Buffers b = random_buffers(port->topology(), replicas, sweeps, kEverything, ++seed);
      b.first = (most - replicas) / 3;
      INFO(core << ", R = " << replicas << ", sweeps = " << sweeps);
      CHECK_THAT(compare(b), Catch::Equals(""));
    }
  }
  // Tables and spins stay; then what is refused.
  Buffers grid = random_buffers(port->topology(), 6, 3, kLoadTables | kLoadSpins, 800);
  CHECK_THAT(compare(grid), Catch::Equals(""));
  for (const std::uint32_t flags : {0U, kStoreSpins | kStoreBest, kNoBurst | kStoreSpins}) {
    grid.flags = flags;
    grid.seed += 0x9e37'79b9;
    CHECK_THAT(compare(grid), Catch::Equals(""));
  }
  Buffers bad = random_buffers(port->topology(), 6, 3, 0, 801);
  bad.first = most - 5;
  run(*port, bad);
  CHECK((bad.status[kWordCode / 2] & 0xffff'ffff) == kBadReplicas);
  CHECK(f2.shell().fault().empty());
  CHECK(f2.shell().refusals() == 0);
  // Registers are words; memory is written by eight bytes, each once.
  for (std::size_t size = 0; size < f2.stores().size(); ++size)
    CHECK((f2.stores()[size] > 0) == (size == 4 || size == 8));
}

}  // namespace

TEST_CASE("A ring behind BARs gives the HLS kernel's bits", "[bar]") {
  compare_calls(kRing, {});
}
TEST_CASE("A flip kernel behind BARs gives the HLS kernel's bits", "[bar]") {
  compare_calls(kFlips, {});
}
TEST_CASE("A slow shell, with memory behind registers, changes no bit", "[bar]") {
  compare_calls(kRing, {.stall = 0.5, .pcis_delay = 400, .seed = 5});
  compare_calls(kFlips, {.stall = 0.2, .pcis_delay = 400, .seed = 6});
}

TEST_CASE("Grids of several lanes share a board", "[bar]") {
  const sim::SimulatedF2 f2({kRing, kFlips});
  const auto port = open_slot(0), other = open_slot(1);
  const auto golden = open_native_port(kRing);
  std::vector<Buffers> expected, actual;
  for (std::uint32_t lane = 0; lane < 4; ++lane) {
    Buffers b = random_buffers(port->topology(), 7, 10, kEverything, 900 + lane);
    b.first = 7 * lane;
    expected.push_back(b);
  }
  actual = expected;
  for (Buffers& b : expected) run(*golden, b);
  for (std::size_t lane = 0; lane < actual.size(); ++lane) port->start(lane, actual[lane].call());
  Buffers meanwhile = random_buffers(other->topology(), 3, 2, kEverything, 950);
  run(*other, meanwhile);
  for (std::size_t lane = 0; lane < actual.size(); ++lane) {
    port->finish(lane);
    CHECK_THAT(difference(expected[lane], actual[lane]), Catch::Equals(""));
  }
}

}  // namespace chainmail::test
