// The wiring: every pair of logical spins meets exactly once, colours are proper, every coupling is
// counted in f at one end only, names and hashes identify a topology.
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "device/kernel/native_kernel.hpp"
#include "support/error.hpp"
#include "topology/contract.hpp"
#include "topology/hls_header.hpp"
#include "topology/status_block.hpp"
#include "topology/topology.hpp"
#include "topology/wiring_hash.hpp"

using namespace chainmail;

namespace {

void check_wiring(const Topology& t) {
  const std::size_t n = t.options.logical;
  std::map<std::pair<std::size_t, std::size_t>, int> heard, early;
  for (std::size_t p = 0; p < t.pbits(); ++p) {
    const PbitWiring& w = t.wiring[p];
    REQUIRE(w.slots.size() == w.used_tables * t.address_bits);
    REQUIRE(w.used_tables <= t.tables);
    REQUIRE((w.early_tables > 0 || !w.carries_field));
    for (std::size_t s = 0; s < w.slots.size(); ++s) {
      const std::uint32_t q = w.slots[s];
      if (q == Topology::kNoPbit) continue;
      REQUIRE(q % n != p % n);
      REQUIRE(t.wiring[q].colour != w.colour);
      const bool counted = s / t.address_bits < w.early_tables;
      REQUIRE(counted == (t.wiring[q].colour < w.colour));
      const std::pair key(std::min(p % n, q % n), std::max(p % n, q % n));
      ++heard[key];
      early[key] += counted ? 1 : 0;
    }
    for (std::uint32_t link : w.links) {
      if (link == Topology::kNoPbit) continue;
      REQUIRE(link % n == p % n);
      REQUIRE(t.wiring[link].colour != w.colour);
    }
  }
  REQUIRE(heard.size() == t.meetings.size());
  for (const Meeting& m : t.meetings) REQUIRE(heard.contains({m.i, m.j}));
  for (const auto& [pair, count] : heard) REQUIRE(count == 2);  // both ends listen
  for (const auto& [pair, count] : early) REQUIRE(count == 1);  // one of them counts
  std::vector<int> carriers(n, 0);
  for (std::size_t p = 0; p < t.pbits(); ++p) carriers[p % n] += t.wiring[p].carries_field ? 1 : 0;
  for (int count : carriers) REQUIRE(count == 1);
}

}  // namespace

TEST_CASE("topologies wire the complete graph", "[hls][topology]") {
  for (const std::string name : {"2x1", "5x2", "8x3", "8x1", "16x2", "16x3", "16x1", "40x3",
                                 "100x3", "100x1", "12x3-pbalanced", "9x4"}) {
    INFO(name);
    const Topology t = topology_from_name(name);
    CHECK(t.name == name);
    const std::size_t n = t.options.logical;
    CHECK(t.meetings.size() == n * (n - 1) / 2);
    check_wiring(t);
  }
}

TEST_CASE("wired topologies wire their graph", "[hls][wired]") {
  for (const std::string name : {"lattice-2x2", "lattice-2x2x2", "lattice-3x3", "lattice-4x3",
                                 "lattice-8x8x8", "graph-6-84c9a448", "graph-200-48f7e4e9"}) {
    INFO(name);
    const Topology t = known_topology(name);
    CHECK(t.name == name);
    CHECK(t.meetings.size() == graph_of(t).edges.size());
    check_wiring(t);
  }
}

TEST_CASE("the array of 100x3 is as planned", "[hls][topology]") {
  const Topology t = topology_from_name("100x3");
  CHECK(t.stages.size() == 2);
  CHECK(t.tables == 7);
  CHECK(t.address_bits == 5);
  CHECK(t.field_bits == 17);
  CHECK(t.links == 200);
  for (const PbitWiring& w : t.wiring) {
    std::size_t fan_in = 0;
    for (std::uint32_t slot : w.slots) fan_in += slot == Topology::kNoPbit ? 0 : 1;
    CHECK(fan_in == 33);
  }
  const Topology dense = topology_from_name("100x1");
  CHECK(dense.stages.size() == 100);
  CHECK(dense.field_bits == 18);
  CHECK(dense.tables <= 21);
}

TEST_CASE("a name says everything, and the hash follows", "[hls][topology]") {
  std::set<std::uint64_t> hashes;
  for (const std::string name : {"8x3", "8x2", "9x3", "8x3-t12", "8x3-b20", "8x3-w2", "8x3-r64",
                                 "8x3-pbalanced", "5x2-t9-b17-w2-r16"}) {
    const Topology t = topology_from_name(name);
    CHECK(t.name == name);
    CHECK(hashes.insert(t.hash).second);
    CHECK(topology_from_name(name).hash == t.hash);
    CHECK(hls_header(t).find(std::to_string(t.options.max_replicas)) != std::string::npos);
  }
  for (const std::string name : {"",
                                 "8",
                                 "x3",
                                 "8x",
                                 "8x3-",
                                 "8x3-z4",
                                 "8x3-t",
                                 "8x3-t99",
                                 "1x3",
                                 "8x99",
                                 "8x3-w3",
                                 "8x3 ",
                                 "8x3-pnowhere",
                                 "lattice",
                                 "lattice-",
                                 "lattice-5",
                                 "lattice-1x5",
                                 "lattice-3x",
                                 "lattice-2x2x2x2",
                                 "lattice-100x100",
                                 "lattice-3x3-palt",
                                 "lattice-3x3-l2",
                                 "graph",
                                 "graph-6"}) {
    INFO(name);
    CHECK_THROWS_AS(topology_from_name(name), UsageError);
  }
}

TEST_CASE("the hash tells who listens to whom", "[hls][topology]") {
  const Topology t = topology_from_name("8x3");
  REQUIRE(wiring_hash(t) == t.hash);
  Topology other = t;
  auto& slots = other.wiring[5].slots;
  std::swap(slots[0], slots[1]);
  REQUIRE(slots != t.wiring[5].slots);
  CHECK(wiring_hash(other) != t.hash);
  other = t;
  other.wiring[5].links[0] ^= 1U;
  CHECK(wiring_hash(other) != t.hash);
}

TEST_CASE("the largest energy there can be fits, and no bit is wasted", "[hls][topology]") {
  for (const std::string name :
       {"2x1", "5x2", "8x3", "16x1", "100x3", "9x4", "5x2-t9-b17-w2-r16"}) {
    INFO(name);
    const Topology t = topology_from_name(name);
    std::uint64_t tables = 0;  // every early one at its most negative entry
    for (const PbitWiring& w : t.wiring) tables += w.early_tables;
    const std::uint64_t largest = tables << (t.options.table_bits - 1);
    CHECK(largest < std::uint64_t{1} << (t.energy_bits - 1));
    CHECK(largest >= std::uint64_t{1} << (t.energy_bits - 2));
  }
}

TEST_CASE("arguments stand where Vitis HLS puts them", "[hls][topology]") {
  std::uint32_t offset = 0x10;
  for (const contract::Argument& argument : contract::kArguments) {
    INFO(argument.name);
    CHECK(argument.offset == offset);
    offset += argument.bits == 64 ? 12 : 8;  // the data words and one that HLS reserves
  }
  CHECK(offset <= contract::kStatusMirror);
}

TEST_CASE("seed codes are far apart", "[hls][topology]") {
  const Topology t = topology_from_name("100x3");
  for (std::size_t p = 0; p < t.pbits(); ++p) {
    CHECK((t.wiring[p].seed_code & 0xff) == 0);
    for (std::size_t q = 0; q < p; ++q) {
      // 18 bytes absorbed by one of two streams: more than the 128 bits of a state.
      REQUIRE(std::popcount(t.wiring[p].seed_code ^ t.wiring[q].seed_code) >= 18);
    }
  }
}

TEST_CASE("a status block says which options it was packed from", "[hls][topology]") {
  for (const std::string name :
       {"5x2", "16x1", "100x3", "5x2-t9-b17-w2-r16", "9x4", "300x2-r65536"}) {
    const Topology t = topology_from_name(name);
    const StatusBlock block = status_block(t);
    std::vector<std::uint64_t> words;
    for (std::size_t i = 0; i < block.size(); i += 2) {
      words.push_back(block[i] | std::uint64_t{block[i + 1]} << 32);
    }
    CHECK(options_in(words) == t.options);
    CHECK(words[contract::kWordHashLow / 2] == t.hash);
    CHECK(block[contract::kWordCode] == contract::kOk);
    CHECK(block[contract::kWordClocksLow] == 0);
  }
}
