// The RTL kernel against the HLS kernel, every bit: random tables, states, parameters and seeds,
// fewer and more replicas than the ring is deep, with and without a stalling memory.
#include <algorithm>
#include <catch2/catch.hpp>

#include "kernel_pair.hpp"
#include "topology/rtl_package.hpp"

namespace chainmail::test {
namespace {

using namespace contract;

void compare_all(KernelPair& pair, bool stalling) {
  const Topology& topology = pair.topology();
  const auto depth = static_cast<std::uint32_t>(rtl_timing(topology).depth);
  const auto most = static_cast<std::uint32_t>(topology.options.max_replicas);
  std::uint64_t seed = 100;
  for (std::uint32_t replicas : {1U, depth - 1, depth, depth + 1, 64U, most}) {
    if (replicas > most) continue;
    for (std::uint32_t sweeps : {0U, 1U, 2U, 50U}) {
      // Stalls affect only loads and stores, which are the same for any number of sweeps.
      if (stalling && replicas == most && sweeps != 1) continue;
      Buffers b = random_buffers(topology, replicas, sweeps, kEverything, ++seed);
      b.first = (most - replicas) / 3;
      INFO(topology.name << ", R = " << replicas << ", sweeps = " << sweeps);
      CHECK_THAT(pair.compare(b), Catch::Equals(""));
    }
  }
}

}  // namespace

// A tag for each topology, so that a program with fewer models (make coverage) can choose.
#define COMPARE_KERNELS(name)                                                \
  TEST_CASE("RTL equals the HLS kernel in every bit: " name, "[" name "]") { \
    KernelPair pair(name);                                                   \
    compare_all(pair, false);                                                \
    pair.kernel().memory().behave(sim::AxiBehaviour::stalling(0.4, 11));     \
    pair.kernel().hesitate(0.3, 5);                                          \
    INFO("with stalls on every channel");                                    \
    compare_all(pair, true);                                                 \
  }
COMPARE_KERNELS("5x2")
COMPARE_KERNELS("8x3")
COMPARE_KERNELS("16x2")
COMPARE_KERNELS("16x3")
COMPARE_KERNELS("16x1")
COMPARE_KERNELS("33x2")
COMPARE_KERNELS("5x2-t9-b17-w2-r16")
COMPARE_KERNELS("lattice-3x3")
COMPARE_KERNELS("graph-6-84c9a448")

// p-bits that take turns on shared engines: as on the iCE40 boards, and with two engines a colour.
#define COMPARE_FOLDED(turns)                                                                   \
  TEST_CASE("Taking turns changes no bit: " turns " p-bits an engine", "[5x2-t9-b17-w2-r16]") { \
    KernelPair pair("5x2-t9-b17-w2-r16", "5x2-t9-b17-w2-r16-turns" turns);                      \
    compare_all(pair, false);                                                                   \
  }
COMPARE_FOLDED("5")
COMPARE_FOLDED("3")

TEST_CASE("Tables and spins stay on the chip between calls, two grids in one ring", "[8x3]") {
  KernelPair pair("8x3");
  constexpr std::uint32_t kReplicas = 40, kSecond = 64;
  std::vector<Buffers> grids;
  for (std::uint32_t first : {0U, kSecond}) {
    Buffers b = random_buffers(pair.topology(), kReplicas, 3, kLoadSpins, 7);
    b.first = first;
    if (first == 0) b.flags |= kLoadTables;
    CHECK_THAT(pair.compare(b), Catch::Equals(""));
    grids.push_back(b);
  }
  for (std::uint32_t burst = 0; burst < 6; ++burst) {
    Buffers& b = grids[burst % 2];
    b.flags = burst < 4 ? 0 : kStoreSpins | kStoreBest;
    b.seed += 0x9e37'79b9;
    b.sweeps = burst;
    CHECK_THAT(pair.compare(b), Catch::Equals(""));
  }
  Buffers single = random_buffers(pair.topology(), 1, 0, kNoBurst | kStoreSpins | kStoreBest, 9);
  for (std::uint32_t place : {0U, 17U, kReplicas - 1, kSecond + 5}) {
    single.first = place;
    INFO("state of place " << place << " read back alone");
    CHECK_THAT(pair.compare(single), Catch::Equals(""));
  }
}

TEST_CASE("Results do not depend on where the buffers lie", "[8x3]") {
  KernelPair pair("8x3");
  pair.kernel().memory().behave(sim::AxiBehaviour::stalling(0.2, 4));
  for (std::uint64_t base : {0x0ull, 0x5555'5555'5555'5ff8ull, 0xaaaa'aaaa'aaaa'a000ull,
                             0xffff'ffff'7fff'fff8ull, 0x1'0000'0000ull - 8}) {
    pair.rtl().move_buffers(base);
    CHECK_THAT(pair.compare(random_buffers(pair.topology(), 300, 1, kEverything, base)),
               Catch::Equals(""));
  }
}

TEST_CASE("A memory and a host that wait for VALID before they are ready are served", "[8x3]") {
  KernelPair pair("8x3");
  sim::AxiBehaviour behaviour = sim::AxiBehaviour::stalling(GENERATE(0.0, 0.3), 6);
  behaviour.shy = true;
  pair.kernel().memory().behave(behaviour);
  pair.kernel().wait_for_valid(true);
  CHECK_THAT(pair.compare(random_buffers(pair.topology(), 200, 2, kEverything, 8)),
             Catch::Equals(""));
}

TEST_CASE("Of states with equal energy the first stays the best", "[5x2]") {
  KernelPair pair("5x2");
  Buffers b = random_buffers(pair.topology(), 20, 300, kEverything, 14);
  // Without couplings every state has f = 0, and intact chains occur again and again.
  std::fill(b.tables.begin(), b.tables.end(), 0);
  std::fill(b.parameters.begin(), b.parameters.end(), 0);
  CHECK_THAT(pair.compare(b), Catch::Equals(""));
}

TEST_CASE("More sweeps than 16 bits count", "[5x2]") {
  KernelPair pair("5x2");
  CHECK_THAT(pair.compare(random_buffers(pair.topology(), 1, 65'537, kEverything, 12)),
             Catch::Equals(""));
}

namespace {

// Every used table entry is `entry`, every p-bit keeps its spin, states all up or all down: with
// the largest entries f is as far from zero as it can be.
Buffers extreme_buffers(const Topology& t, std::int64_t entry) {
  Buffers b = random_buffers(t, 2, 1, kEverything, 3);
  for (std::size_t word = 0; word < b.tables.size(); ++word) {
    const bool control = word % t.pbit_words() == t.pbit_words() - 1;
    b.tables[word] =
        control ? 1 : 0x0001'0001'0001'0001 * (static_cast<std::uint64_t>(entry) & 0xffff);
  }
  for (std::size_t i = 0; i < b.spins.size(); ++i) {
    b.spins[i] = i < t.state_words() ? 0 : ~std::uint64_t{0};
  }
  return b;
}

void check_extremes(const std::string& name) {
  KernelPair pair(name);
  const Topology& t = pair.topology();
  // A field of more than one table shares its bits among them (the loader's guarantee).
  const std::int64_t table = (std::int64_t{1} << (t.options.table_bits - 1)) - 1;
  const std::int64_t field =
      ((std::int64_t{1} << (t.field_bits - 1)) - 1) / static_cast<std::int64_t>(t.tables);
  const std::int64_t most = std::min(table, field);
  for (std::int64_t entry : {most, -most, std::int64_t{0}, std::int64_t{-1}}) {
    Buffers b = extreme_buffers(t, entry);
    CHECK_THAT(pair.compare(b), Catch::Equals(""));
    run(pair.rtl(), b);
    std::int64_t expected = 0;
    for (const PbitWiring& w : t.wiring) expected += entry * std::int64_t{w.early_tables};
    CHECK(static_cast<std::int32_t>(b.results[0]) == expected);
    CHECK(static_cast<std::int32_t>(b.results[2]) == -expected);
    CHECK(static_cast<std::int32_t>(b.results[0] >> 32) == expected);
  }
}

}  // namespace

TEST_CASE("Energies at their extremes: 5x2", "[5x2]") {
  check_extremes("5x2");
}
TEST_CASE("Energies at their extremes: 8x3", "[8x3]") {
  check_extremes("8x3");
}
TEST_CASE("Energies at their extremes: 16x2", "[16x2]") {
  check_extremes("16x2");
}
TEST_CASE("Energies at their extremes: 16x1", "[16x1]") {
  check_extremes("16x1");
}
TEST_CASE("Energies at their extremes: 5x2-t9-b17-w2-r16", "[5x2-t9-b17-w2-r16]") {
  check_extremes("5x2-t9-b17-w2-r16");
}

TEST_CASE("A changed operator in the RTL is noticed", "[5x2-mutant]") {
  KernelPair pair("5x2", "5x2-mutant");
  CHECK_FALSE(pair.compare(random_buffers(pair.topology(), 64, 50, kEverything, 3)).empty());
}

TEST_CASE("Large arrays equal the HLS kernel in every bit", "[.long]") {
  const std::string name =
      GENERATE("100x3", "lattice-5x5x5", "lattice-8x8x8", "graph-200-48f7e4e9");
  INFO(name);
  KernelPair pair(name);
  for (std::uint32_t sweeps : {0U, 3U}) {
    CHECK_THAT(pair.compare(random_buffers(pair.topology(), 40, sweeps, kEverything, 21)),
               Catch::Equals(""));
  }
}

}  // namespace chainmail::test
