// The kernel against the reference model, bit for bit, and the rules of a call: nothing depends on
// the place of buffers, the depth of the pipeline or earlier calls.
#include <algorithm>
#include <catch2/catch.hpp>

#include "device/kernel/native_kernel.hpp"
#include "kernel_bench.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"
#include "topology/hls_header.hpp"

using namespace chainmail;
using namespace hls_bench;

TEST_CASE("the kernel equals the reference model in every bit", "[hls][burst]") {
  for (const std::string name :
       {"5x2", "8x3", "8x1", "16x2", "16x3", "16x1", "5x2-t9-b17-w2-r16"}) {
    Bench bench(name);
    const auto depth = static_cast<std::uint32_t>(hls_depth(bench.topology));
    const auto room = static_cast<std::uint32_t>(bench.topology.options.max_replicas);
    for (std::uint32_t replicas : {1U, 7U, depth - 1, depth, depth + 1, 64U}) {
      if (replicas > room) continue;
      for (std::uint32_t sweeps : {0U, 1U, 2U, 17U}) {
        const std::uint64_t seed = hash_of(7, {replicas, sweeps});
        const reference::Burst burst = random_burst(bench.topology, replicas, sweeps, seed);
        INFO(name << ", " << replicas << " replicas, " << sweeps << " sweeps");
        REQUIRE(bench.run(burst) == reference::run(bench.topology, burst));
      }
    }
  }
}

TEST_CASE("any sequence of calls does what the page says", "[hls][burst]") {
  for (const std::string name : {"5x2", "8x1", "33x2", "5x2-t9-b17-w2-r16"}) {
    const Topology topology = topology_from_name(name);
    const NativeKernel& kernel = native_kernel(name);
    reference::Kernel model = model_of(topology);
    const auto room = static_cast<std::uint32_t>(topology.options.max_replicas);
    const std::uint32_t places = std::min(room, 24U);
    Engine engine(hash_of(77, {topology.hash}));
    std::size_t bursts = 0, refused = 0;
    for (int number = 0; number < 400; ++number) {
      reference::Call call;
      call.first = static_cast<std::uint32_t>(engine() % places);
      call.replicas = 1 + static_cast<std::uint32_t>(engine() % (places - call.first));
      call.sweeps = static_cast<std::uint32_t>(engine() % 4);
      call.flags = static_cast<std::uint32_t>(engine() % 64);
      if (engine() % 4 != 0) call.flags &= ~contract::kDescribe;
      if (number == 0) {  // nothing is defined before the first load
        call.first = 0;
        call.replicas = places;
        call.flags = contract::kLoadTables | contract::kLoadSpins;
      } else if (engine() % 16 == 0) {
        call.flags |= 1U << (6 + engine() % 26);
      } else if (engine() % 16 == 0) {
        call.first = room - call.replicas + 1;
      }
      // Best states are there between a burst and the next load of tables.
      const bool best_lost =
          (call.flags & contract::kLoadTables) != 0 || !model.best_is_defined(0, places);
      if ((call.flags & contract::kNoBurst) != 0 && best_lost) call.flags &= ~contract::kStoreBest;
      const reference::Burst burst =
          random_burst(topology, std::min(call.replicas, room), call.sweeps, engine());
      call.tables = burst.tables;
      call.parameters = burst.parameters;
      call.spins = burst.spins;
      call.seed = burst.seed;
      call.best.assign(burst.spins.size(), Bench::kUntouched);
      call.results.assign(2 * std::size_t{call.replicas}, Bench::kUntouched);
      call.status.assign(8, Bench::kUntouched);
      reference::Call same = call;
      model.run(call);
      const auto words = [](std::vector<std::uint64_t>& v) {
        return reinterpret_cast<KernelWord*>(v.data());
      };
      kernel.burst(words(same.tables), words(same.parameters), words(same.spins), words(same.best),
                   words(same.results), words(same.status), same.first, same.replicas, same.sweeps,
                   same.flags, same.seed);
      INFO(name << ", call " << number << ", flags " << call.flags);
      REQUIRE(same.status == call.status);
      REQUIRE(same.results == call.results);
      REQUIRE(same.spins == call.spins);
      REQUIRE(same.best == call.best);
      bursts += call.results[0] != Bench::kUntouched;
      refused += (call.status[2] & 0xffff'ffff) != 0;
    }
    CHECK(bursts > 100);
    CHECK(refused > 20);
  }
}

TEST_CASE("of states with equal energy the first stays the best", "[hls][burst]") {
  for (const std::string name : {"8x1", "5x2"}) {
    Bench bench(name);
    reference::Burst burst = random_burst(bench.topology, 20, 300, 9);
    std::fill(burst.tables.begin(), burst.tables.end(), 0);
    std::fill(burst.parameters.begin(), burst.parameters.end(), 0);
    const reference::Outcome out = bench.run(burst);
    CHECK(out == reference::run(bench.topology, burst));
    CHECK(out.best != out.spins);  // later states had the same energy
  }
}

TEST_CASE("large topologies equal the reference model", "[hls][burst][large]") {
  for (const std::string name : {"40x3", "40x1", "100x3", "100x1"}) {
    Bench bench(name);
    const reference::Burst burst = random_burst(bench.topology, 3, 3, 11);
    INFO(name);
    REQUIRE(bench.run(burst) == reference::run(bench.topology, burst));
  }
}

TEST_CASE("a full ring runs", "[hls][burst]") {
  Bench bench("8x3");
  const auto room = static_cast<std::uint32_t>(bench.topology.options.max_replicas);
  const reference::Burst burst = random_burst(bench.topology, room, 2, 3);
  REQUIRE(bench.run(burst) == reference::run(bench.topology, burst));
}

TEST_CASE("f and g equal a recomputation from the spins returned", "[hls][burst]") {
  for (const std::string name : {"8x3", "16x2", "16x1"}) {
    Bench bench(name);
    const reference::Burst burst = random_burst(bench.topology, 40, 5, 21);
    const reference::Outcome out = bench.run(burst);
    reference::Burst measure = burst;
    measure.spins = out.spins;
    measure.sweeps = 0;
    measure.seed = 99;
    for (std::uint64_t& word : measure.parameters) word = 0;
    const reference::Outcome again = bench.run(measure);
    CHECK(again.spins == out.spins);
    for (std::size_t r = 0; r < burst.replicas; ++r) {
      CHECK(static_cast<std::uint32_t>(again.results[2 * r]) ==
            static_cast<std::uint32_t>(out.results[2 * r]));
      CHECK(again.results[2 * r + 1] == out.results[2 * r + 1]);
    }
  }
}

TEST_CASE("a call's result does not depend on its place in the ring or on earlier calls",
          "[hls][burst]") {
  Bench bench("16x3");
  const reference::Burst burst = random_burst(bench.topology, 50, 6, 5);
  const reference::Outcome expected = bench.run(burst);
  bench.run(random_burst(bench.topology, 64, 3, 6));
  CHECK(bench.run(burst, 900) == expected);
  CHECK(bench.run(burst) == expected);
}

TEST_CASE("tables and spins stay on the chip between calls", "[hls][burst]") {
  Bench bench("16x2");
  const reference::Burst whole = random_burst(bench.topology, 20, 4, 8);
  bench.run(whole);
  const std::vector<std::uint64_t> after = bench.last_spins();
  // The next burst starts from where the last ended, with nothing loaded.
  reference::Burst next = whole;
  next.spins = after;
  next.seed = 1234;
  const reference::Outcome expected = reference::run(bench.topology, next);
  const reference::Outcome got = bench.call(next, 0, contract::kStoreSpins | contract::kStoreBest);
  CHECK(got == expected);
  // Read back later, one replica, without a burst.
  reference::Burst one = next;
  one.replicas = 1;
  const reference::Outcome fetched =
      bench.call(one, 13, contract::kNoBurst | contract::kStoreSpins | contract::kStoreBest);
  const std::size_t words = bench.topology.state_words();
  CHECK(std::vector<std::uint64_t>(expected.spins.begin() + static_cast<long>(13 * words),
                                   expected.spins.begin() + static_cast<long>(14 * words)) ==
        fetched.spins);
  CHECK(std::vector<std::uint64_t>(expected.best.begin() + static_cast<long>(13 * words),
                                   expected.best.begin() + static_cast<long>(14 * words)) ==
        fetched.best);
}

TEST_CASE("wrong arguments are refused and nothing is written", "[hls][burst]") {
  Bench bench("8x3");
  const auto room = static_cast<std::uint32_t>(bench.topology.options.max_replicas);
  const reference::Burst burst = random_burst(bench.topology, 4, 3, 2);
  const reference::Outcome before = bench.run(burst);
  struct Case {
    std::uint32_t first, replicas, flags, code;
  };
  const std::uint32_t all = contract::kStoreSpins | contract::kStoreBest | contract::kLoadSpins;
  for (const Case c :
       {Case{0, 0, all, contract::kBadReplicas}, Case{0, room + 1, all, contract::kBadReplicas},
        Case{room - 3, 4, all, contract::kBadReplicas},
        Case{0xffffffff, 4, all, contract::kBadReplicas},
        Case{0, 4, all | 0x40, contract::kBadFlags}}) {
    reference::Burst wrong = burst;
    wrong.replicas = c.replicas;
    const reference::Outcome got = bench.call_unchecked(wrong, c.first, c.flags);
    CHECK(bench.code() == c.code);
    for (std::uint64_t word : got.results) CHECK(word == Bench::kUntouched);
    for (std::uint64_t word : got.best) CHECK(word == Bench::kUntouched);
  }
  const reference::Outcome kept = bench.call(burst, 0, contract::kNoBurst | contract::kStoreSpins);
  CHECK(kept.spins == before.spins);
}

TEST_CASE("a buffer the call uses must begin at a whole word", "[hls][burst]") {
  const std::string name = "8x3";
  const Topology topology = topology_from_name(name);
  const NativeKernel& kernel = native_kernel(name);
  const reference::Burst burst = random_burst(topology, 3, 2, 4);
  enum { tables, parameters, spins, best, results, status };
  struct Case {
    int buffer;
    std::uint32_t flags, code;
  };
  using namespace contract;
  for (const Case& c :
       {Case{tables, kLoadTables, kBadPointer}, Case{tables, kLoadSpins, kOk},
        Case{parameters, 0, kBadPointer}, Case{parameters, kNoBurst, kOk},
        Case{spins, kLoadSpins, kBadPointer}, Case{spins, kStoreSpins | kNoBurst, kBadPointer},
        Case{spins, kStoreBest, kOk}, Case{best, kStoreBest, kBadPointer},
        Case{best, kStoreSpins, kOk}, Case{results, 0, kBadPointer}, Case{results, kNoBurst, kOk},
        Case{results, kDescribe, kOk}, Case{status, kDescribe, kBadPointer}}) {
    for (std::size_t skew : {1U, 2U, 4U}) {
      INFO("buffer " << c.buffer << ", flags " << c.flags << ", " << skew << " bytes off");
      std::vector<std::uint64_t> buffer[6] = {burst.tables,
                                              burst.parameters,
                                              burst.spins,
                                              std::vector<std::uint64_t>(4, 7),
                                              std::vector<std::uint64_t>(7, 7),
                                              std::vector<std::uint64_t>(9, 7)};
      const std::vector<std::uint64_t> before[6] = {buffer[0], buffer[1], buffer[2],
                                                    buffer[3], buffer[4], buffer[5]};
      const auto pointer = [&](int which) {
        auto* bytes = reinterpret_cast<char*>(buffer[which].data());
        return reinterpret_cast<KernelWord*>(bytes + (which == c.buffer ? skew : 0));
      };
      kernel.burst(pointer(tables), pointer(parameters), pointer(spins), pointer(best),
                   pointer(results), pointer(status), 0, 3, 2, c.flags, 1);
      if (c.buffer == status) {
        CHECK(buffer[status] == before[status]);
      } else {
        CHECK(static_cast<std::uint32_t>(buffer[status][kWordCode / 2]) == c.code);
      }
      if (c.code != kOk) {
        for (int untouched : {spins, best, results}) CHECK(buffer[untouched] == before[untouched]);
      }
    }
  }
}

TEST_CASE("where written buffers overlap the later write stays", "[hls][burst]") {
  Bench bench("8x3");
  const reference::Burst burst = random_burst(bench.topology, 4, 2, 6);
  const reference::Outcome apart = bench.run(burst);
  std::vector<std::uint64_t> tables = burst.tables, parameters = burst.parameters,
                             spins = burst.spins, status(8);
  const auto words = [](std::vector<std::uint64_t>& v) {
    return reinterpret_cast<KernelWord*>(v.data());
  };
  using namespace contract;
  native_kernel("8x3").burst(words(tables), words(parameters), words(spins), words(spins),
                             words(status), words(status), 0, 4, 2,
                             kLoadTables | kLoadSpins | kStoreSpins | kStoreBest, burst.seed);
  CHECK(spins == apart.best);
  CHECK(static_cast<std::uint32_t>(status[0]) == kMagic);
  CHECK(static_cast<std::uint32_t>(status[kWordCode / 2]) == kOk);
}

TEST_CASE("the status block says who the kernel is", "[hls][burst]") {
  Bench bench("5x2-t9-b17-w2-r16");
  reference::Burst burst;
  bench.call_unchecked(burst, 0, contract::kDescribe);
  const auto word = [&](std::uint32_t i) { return bench.status_word(i); };
  CHECK(word(contract::kWordMagic) == contract::kMagic);
  CHECK(word(contract::kWordVersion) == contract::kVersion);
  CHECK((word(contract::kWordHashLow) | std::uint64_t{word(contract::kWordHashHigh)} << 32) ==
        bench.topology.hash);
  CHECK(word(contract::kWordCode) == contract::kOk);
  CHECK(word(contract::kWordPbits) == 10);
  CHECK(word(contract::kWordShape) == (5 | 2 << 16));
  CHECK(word(contract::kWordReplicas) == 16);
  CHECK(word(contract::kWordTables) ==
        (9 | bench.topology.address_bits << 8 | bench.topology.tables << 16));
  CHECK(word(contract::kWordWidths) == (17 | 2 << 8 | 2 << 16));
}
