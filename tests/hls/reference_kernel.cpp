#include "reference_kernel.hpp"

#include <bit>

#include "topology/threshold.hpp"

namespace reference {

using chainmail::PbitWiring;
using chainmail::Topology;

namespace {

struct Stream {
  std::vector<std::uint32_t> state;
  std::uint32_t word() const { return state.back(); }
  void step(std::uint32_t injected) {
    const std::uint32_t x = state.front(), w = state.back();
    const bool four = state.size() == 4;
    const std::uint32_t t = x ^ (x << (four ? 11 : 10));
    const std::uint32_t next = w ^ (w >> (four ? 19 : 10)) ^ t ^ (t >> (four ? 8 : 13)) ^ injected;
    state.erase(state.begin());
    state.push_back(next);
  }
};

std::vector<Stream> seeded(const Topology& topology, std::uint64_t seed) {
  std::vector<Stream> streams(topology.pbits());
  for (Stream& s : streams) s.state.assign(topology.options.rng_words, 0);
  auto a = static_cast<std::uint32_t>(seed >> 32), b = static_cast<std::uint32_t>(seed);
  for (std::uint32_t n = 0; n < 64; ++n) {
    a = (std::rotr(a, 8) + b) ^ n;
    b = std::rotl(b, 3) ^ a;
    for (std::size_t p = 0; p < streams.size(); ++p) {
      streams[p].step((topology.wiring[p].seed_code >> n & 1) != 0 ? a & 0xff : 0);
    }
  }
  return streams;
}

class Machine {
 public:
  Machine(const Topology& topology, const Burst& burst)
      : topology_(topology), burst_(burst), streams_(seeded(topology, burst.seed)) {}

  // Sweeps the replica in place and returns f.
  std::int64_t sweep(std::vector<int>& spin, std::uint64_t parameters, bool hold) {
    std::int64_t f = 0;
    for (const auto& stage : topology_.stages) {
      const std::vector<int> seen = spin;
      for (std::uint32_t p : stage) f += update(p, seen, spin, parameters, hold);
    }
    for (Stream& s : streams_) s.step(0);
    return f;
  }

  std::int64_t violation(const std::vector<int>& spin) const {
    std::int64_t g = 0;
    for (std::size_t p = 0; p < spin.size(); ++p) {
      const std::uint32_t next = topology_.wiring[p].links[1];
      if (next != Topology::kNoPbit) g += 1 - spin[p] * spin[next];
    }
    return g;
  }

 private:
  std::int64_t entry(std::uint32_t p, std::size_t t, std::size_t a) const {
    const std::size_t word = p * topology_.pbit_words() + t * topology_.table_words() + a / 4;
    return static_cast<std::int16_t>(burst_.tables[word] >> 16 * (a % 4));
  }

  std::int64_t update(std::uint32_t p, const std::vector<int>& seen, std::vector<int>& spin,
                      std::uint64_t parameters, bool hold) {
    const PbitWiring& w = topology_.wiring[p];
    std::int64_t field = 0, early = 0;
    for (std::size_t t = 0; t < w.used_tables; ++t) {
      std::size_t a = 0;
      for (std::size_t b = 0; b < topology_.address_bits; ++b) {
        const std::uint32_t other = w.slots[t * topology_.address_bits + b];
        if (other != Topology::kNoPbit && seen[other] > 0) a |= std::size_t{1} << b;
      }
      field += entry(p, t, a);
      if (t < w.early_tables) early += entry(p, t, a);
    }
    std::int64_t chain = 0;
    for (std::uint32_t other : w.links) {
      if (other != Topology::kNoPbit) chain += seen[other];
    }
    const auto beta = static_cast<std::int64_t>(
        parameters & ((std::uint64_t{1} << topology_.options.beta_bits) - 1));
    const auto penalty = static_cast<std::int64_t>(parameters >> 32 & 0xffff);
    const unsigned shift = topology_.options.beta_bits - 9;
    const std::uint32_t word = streams_[p].word();
    const std::int64_t t = threshold(word & 0x7fffffff) << shift;
    const std::int64_t y = beta * field + penalty * chain * (std::int64_t{1} << shift);
    const bool clamp = (burst_.tables[(p + 1) * topology_.pbit_words() - 1] & 1) != 0;
    if (!hold && !clamp) spin[p] = y + ((word >> 31) != 0 ? ~t : t) >= 0 ? 1 : -1;
    return -spin[p] * early;
  }

  const Topology& topology_;
  const Burst& burst_;
  std::vector<Stream> streams_;
};

std::vector<int> unpack(const Topology& topology, const std::uint64_t* words) {
  std::vector<int> spin(topology.pbits());
  for (std::size_t p = 0; p < spin.size(); ++p)
    spin[p] = (words[p / 64] >> p % 64 & 1) != 0 ? 1 : -1;
  return spin;
}

void pack(const std::vector<int>& spin, std::uint64_t* words) {
  for (std::size_t p = 0; p < spin.size(); ++p) {
    if (spin[p] > 0) words[p / 64] |= std::uint64_t{1} << p % 64;
  }
}

}  // namespace

std::int64_t threshold(std::uint32_t word) {
  using namespace chainmail::threshold;
  const std::uint32_t zeros = word << 1 >> 8;  // bits 30..7
  const unsigned octave = zeros == 0 ? 24 : static_cast<unsigned>(std::countl_zero(zeros)) - 8;
  const unsigned mantissa = word >> 3 & 15, dither = word & 7;
  const std::int64_t t = 256 * static_cast<std::int64_t>(octave) + kBase[row_of(octave)][mantissa] +
                         kDither[(octave == 0 ? 4 : 0) + mantissa / 4][dither];
  return (word >> 31) != 0 ? ~t : t;
}

Outcome run(const Topology& topology, const Burst& burst) {
  Machine machine(topology, burst);
  const std::size_t words = topology.state_words();
  std::vector<std::vector<int>> spin(burst.replicas), best(burst.replicas);
  std::vector<std::int64_t> f(burst.replicas), g(burst.replicas), best_f(burst.replicas, INT32_MAX);
  for (std::size_t r = 0; r < burst.replicas; ++r) {
    spin[r] = unpack(topology, burst.spins.data() + r * words);
  }
  const std::uint32_t passes = burst.sweeps == 0 ? 1 : burst.sweeps;
  for (std::uint32_t s = 0; s < passes; ++s) {
    for (std::size_t r = 0; r < burst.replicas; ++r) {
      f[r] = machine.sweep(spin[r], burst.parameters[r], burst.sweeps == 0);
      g[r] = machine.violation(spin[r]);
      if (g[r] == 0 && f[r] < best_f[r]) {
        best_f[r] = f[r];
        best[r] = spin[r];
      }
    }
  }
  Outcome out{std::vector<std::uint64_t>(burst.replicas * words, 0), {}, {}};
  out.best = out.spins;
  for (std::size_t r = 0; r < burst.replicas; ++r) {
    pack(spin[r], out.spins.data() + r * words);
    pack(best[r], out.best.data() + r * words);
    out.results.push_back(static_cast<std::uint32_t>(f[r]) | static_cast<std::uint64_t>(best_f[r])
                                                                 << 32);
    out.results.push_back(static_cast<std::uint64_t>(g[r]));
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> words(const Topology& topology, std::uint64_t seed,
                                              std::size_t count) {
  std::vector<Stream> streams = seeded(topology, seed);
  std::vector<std::vector<std::uint32_t>> all(streams.size());
  for (std::size_t p = 0; p < streams.size(); ++p) {
    for (std::size_t k = 0; k < count; ++k) {
      all[p].push_back(streams[p].word());
      streams[p].step(0);
    }
  }
  return all;
}

}  // namespace reference
