#include "random_burst.hpp"

#include <fmt/format.h>

#include "../random_flips.hpp"
#include "../random_rows.hpp"
#include "topology/contract.hpp"
#include "topology/flips_topology.hpp"

namespace chainmail::test {
namespace {

constexpr std::uint64_t kPattern = 0xdead'beef'0bad'cafe;

class Words {
 public:
  explicit Words(std::uint64_t seed) : state_(mix64(seed)) {}
  std::uint64_t next() { return mix64(state_++); }
  std::int64_t in(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t state_;
};

// Couplings as large as the loader's guarantee allows: |h| + sum |J| stays within a table, and the
// sum of all tables within the field.
std::vector<std::uint64_t> random_tables(const Topology& t, Words& words) {
  std::vector<std::uint64_t> image(t.image_words());
  const std::int64_t table_limit = (std::int64_t{1} << (t.options.table_bits - 1)) - 1;
  const std::int64_t field_limit = (std::int64_t{1} << (t.field_bits - 1)) - 1;
  const std::int64_t limit =
      std::min(table_limit, field_limit / static_cast<std::int64_t>(t.tables));
  const std::int64_t largest = limit / (t.address_bits + 1);
  for (std::size_t p = 0; p < t.pbits(); ++p) {
    std::uint64_t* record = image.data() + p * t.pbit_words();
    for (std::size_t k = 0; k < t.tables; ++k) {
      std::int64_t h = k == 0 ? words.in(-largest, largest) : 0;
      std::int64_t j[5];
      for (auto& value : j) value = words.in(-largest, largest);
      const bool used = k < t.wiring[p].used_tables;
      for (std::size_t a = 0; a < (std::size_t{1} << t.address_bits); ++a) {
        std::int64_t sum = h;
        for (unsigned b = 0; b < t.address_bits; ++b) sum += a >> b & 1 ? j[b] : -j[b];
        // Bits above the table's width, and tables out of use, are the kernel's to ignore.
        const std::uint64_t mask = (1ull << t.options.table_bits) - 1;
        const std::uint64_t entry =
            used ? (static_cast<std::uint64_t>(sum) & mask) | (words.next() & 0xffff & ~mask)
                 : words.next() & 0xffff;
        record[k * t.table_words() + a / 4] |= entry << (16 * (a % 4));
      }
    }
    const bool clamp = words.next() % 8 == 0;
    record[t.pbit_words() - 1] = (words.next() & ~1ull) | (clamp ? 1 : 0);
  }
  return image;
}

// From hot to cold, and links from loose to rigid, so that all decisions occur; some replicas are
// pure noise, so that keys of a group tie.
std::uint64_t random_parameter(const Topology& t, Words& words) {
  if (words.next() % 8 == 0) return 0;
  const std::uint64_t beta =
      words.next() >> (64 - t.options.beta_bits) >> words.next() % (t.options.beta_bits - 4);
  const std::uint64_t penalty = words.next() >> (64 - t.penalty_bits()) >> words.next() % 14;
  return beta | penalty << 32;
}

}  // namespace

KernelCall Buffers::call() {
  KernelCall c;
  c.tables = tables;
  c.parameters = parameters;
  c.spins = spins;
  c.best = best;
  c.results = results;
  c.status = status;
  c.first = first;
  c.replicas = replicas;
  c.sweeps = sweeps;
  c.flags = flags;
  c.seed = seed;
  return c;
}

Buffers random_buffers(const Topology& t, std::uint32_t replicas, std::uint32_t sweeps,
                       std::uint32_t flags, std::uint64_t seed) {
  Words words(seed);
  Buffers b;
  b.replicas = replicas;
  b.sweeps = sweeps;
  b.flags = flags;
  b.seed = words.next();
  if (t.options.dense()) {
    Engine engine(words.next());
    const std::size_t rows = seed % 2 == 0 ? t.pbits() : 1 + engine() % t.pbits();
    b.tables = t.options.flips ? random_flips(t, rows, engine) : random_rows(t, rows, engine);
  } else {
    b.tables = random_tables(t, words);
  }
  for (std::uint32_t r = 0; r < replicas; ++r) {
    b.parameters.push_back(random_parameter(t, words));
    // Flips: some skip sweeps, some all of them.
    if (t.options.flips && words.next() % 3 == 0) {
      b.parameters[r] |= words.next() % (sweeps + 2ULL) << left_out_bit(t.options);
    }
  }
  for (std::size_t i = 0; i < replicas * t.state_words(); ++i) b.spins.push_back(words.next());
  b.best.assign(replicas * t.state_words(), kPattern);
  b.results.assign(replicas * 2, kPattern);
  b.status.assign(8, kPattern);
  return b;
}

void run(KernelPort& port, Buffers& buffers) {
  port.start(0, buffers.call());
  port.finish(0);
}

std::string difference(const Buffers& expected, const Buffers& actual) {
  std::string text;
  const auto compare = [&](const char* name, const auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i] || (a.data() == expected.status.data() && i == contract::kWordClocksLow / 2))
        continue;
      if (text.size() < 400)
        text += fmt::format("{}[{}]: expected {:016x}, got {:016x}\n", name, i, a[i], b[i]);
    }
  };
  compare("results", expected.results, actual.results);
  compare("spins", expected.spins, actual.spins);
  compare("best", expected.best, actual.best);
  compare("status", expected.status, actual.status);
  return text;
}

}  // namespace chainmail::test
