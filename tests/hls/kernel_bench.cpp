#include "kernel_bench.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/random.hpp"
#include "topology/contract.hpp"
#include "topology/hls_header.hpp"

namespace hls_bench {

using namespace chainmail;

reference::Kernel model_of(const Topology& topology) {
  return reference::Kernel(reference::Description(hls_header(topology)));
}

Bench::Bench(const std::string& name)
    : topology(known_topology(name)), kernel_(native_kernel(name)) {}

reference::Outcome Bench::run(const reference::Burst& burst, std::uint32_t first) {
  return call(
      burst, first,
      contract::kLoadTables | contract::kLoadSpins | contract::kStoreSpins | contract::kStoreBest);
}

reference::Outcome Bench::call(const reference::Burst& burst, std::uint32_t first,
                               std::uint32_t flags) {
  reference::Outcome out = call_unchecked(burst, first, flags);
  REQUIRE(code() == contract::kOk);
  return out;
}

reference::Outcome Bench::call_unchecked(const reference::Burst& burst, std::uint32_t first,
                                         std::uint32_t flags) {
  const std::size_t words = burst.replicas <= topology.options.max_replicas
                                ? burst.replicas * topology.state_words()
                                : topology.state_words();
  const std::size_t replicas = words / topology.state_words();
  reference::Outcome out{burst.spins, std::vector<std::uint64_t>(words, kUntouched),
                         std::vector<std::uint64_t>(2 * replicas, kUntouched)};
  out.spins.resize(words, kUntouched);
  const auto in = [](const std::vector<std::uint64_t>& v) {
    return reinterpret_cast<const KernelWord*>(v.data());
  };
  const auto inout = [](auto& v) { return reinterpret_cast<KernelWord*>(std::data(v)); };
  kernel_.burst(in(burst.tables), in(burst.parameters), inout(out.spins), inout(out.best),
                inout(out.results), inout(status_), first, burst.replicas, burst.sweeps, flags,
                burst.seed);
  spins_ = out.spins;
  return out;
}

namespace {

// Splits one table's range at random among its slots, so that sums come close to the limit.
void random_table(const Topology& topology, const PbitWiring& wiring, std::size_t t, bool field,
                  std::uint64_t* words, Engine& engine) {
  const std::size_t slots = topology.address_bits;
  // What the loader guarantees: sums fit a table, and all tables together fit the field.
  std::int64_t room = std::min((std::int64_t{1} << (topology.options.table_bits - 1)) - 1,
                               ((std::int64_t{1} << (topology.field_bits - 1)) - 1) /
                                   static_cast<std::int64_t>(topology.tables));
  const auto draw = [&] {
    const auto value =
        static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(room + 1)) / 2;
    room -= value;
    return (engine() >> 63) != 0 ? -value : value;
  };
  std::vector<std::int64_t> weight(slots, 0);
  for (std::size_t b = 0; b < slots; ++b) {
    if (wiring.slots[t * slots + b] != Topology::kNoPbit) weight[b] = draw();
  }
  const std::int64_t h = field ? draw() : 0;
  for (std::size_t a = 0; a < std::size_t{1} << slots; ++a) {
    std::int64_t sum = h;
    for (std::size_t b = 0; b < slots; ++b) sum += (a >> b & 1) != 0 ? weight[b] : -weight[b];
    words[a / 4] |= (static_cast<std::uint64_t>(sum) & 0xffff) << 16 * (a % 4);
  }
}

}  // namespace

reference::Burst random_burst(const Topology& topology, std::uint32_t replicas,
                              std::uint32_t sweeps, std::uint64_t seed) {
  Engine engine(seed);
  reference::Burst burst;
  burst.replicas = replicas;
  burst.sweeps = sweeps;
  burst.seed = engine();
  burst.tables.assign(topology.image_words(), 0);
  for (std::size_t p = 0; p < topology.pbits(); ++p) {
    const PbitWiring& w = topology.wiring[p];
    std::uint64_t* record = burst.tables.data() + p * topology.pbit_words();
    for (std::size_t t = 0; t < w.used_tables; ++t) {
      random_table(topology, w, t, t == 0 && w.carries_field, record + t * topology.table_words(),
                   engine);
    }
    record[topology.pbit_words() - 1] = engine() % 16 == 0 ? 1 : 0;
  }
  for (std::uint32_t r = 0; r < replicas; ++r) {
    const std::uint64_t beta = engine() >> 40 >> (24 - topology.options.beta_bits) >>
                               engine() % topology.options.beta_bits;
    const std::uint64_t penalty = (engine() & 0xffff) >> engine() % 16;
    burst.parameters.push_back(beta | penalty << 32);
  }
  for (std::size_t w = 0; w < replicas * topology.state_words(); ++w) {
    burst.spins.push_back(engine());
  }
  return burst;
}

}  // namespace hls_bench

namespace reference {

Outcome run(const chainmail::Topology& topology, const Burst& burst) {
  using namespace chainmail::contract;
  Call call{burst.tables, burst.parameters, burst.spins, {}, {}, {}};
  call.best.resize(burst.spins.size());
  call.results.resize(2 * std::size_t{burst.replicas});
  call.replicas = burst.replicas;
  call.sweeps = burst.sweeps;
  call.flags = kLoadTables | kLoadSpins | kStoreSpins | kStoreBest;
  call.seed = burst.seed;
  hls_bench::model_of(topology).run(call);
  return {call.spins, call.best, call.results};
}

}  // namespace reference
