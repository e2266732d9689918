// An independent model of the kernel: docs/kernel.md in plain integers, and of a topology only what
// the page refers to, the output of `write_topology hls NAME`. No pipeline, no bubbles, nothing
// shared with hls/ or host/. The kernel must equal it in every bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reference {

// The numbers of "NAME = 3;" or "NAME[..] = {1, {2, 3}};" in a header, its comments left out.
std::vector<std::uint64_t> numbers(const std::string& header, const std::string& name);

// What the streams and the threshold need.
struct Noise {
  std::size_t streams = 0, rng_words = 0;
  std::vector<std::uint64_t> seed_code, base, dither;
};
Noise noise_of(const std::string& header, const std::string& streams);

// The numbers of a generated header that the page names.
struct Description {
  explicit Description(const std::string& header);

  std::size_t logical, pbits, colours, table_bits, address_bits, tables, beta_bits;
  Noise noise;
  std::size_t max_replicas, state_words, table_words;
  std::vector<std::uint64_t> neighbour, early_tables, used_tables, link;
  std::vector<std::uint64_t> member, stage_begin, status_block;

  std::size_t record_words() const { return tables * table_words + 1; }
};

// One call's arguments; the vectors are the buffers, read and written.
struct Call {
  std::vector<std::uint64_t> tables, parameters, spins, best, results, status;
  std::uint32_t first = 0, replicas = 0, sweeps = 0, flags = 0;
  std::uint64_t seed = 0;
};

class Kernel {
 public:
  explicit Kernel(Description description);
  void run(Call& call);
  // Whether the page defines what "store best" would write for these places.
  bool best_is_defined(std::uint32_t first, std::uint32_t replicas) const;

 private:
  struct Place {
    std::vector<int> spin, best;  // +1 or -1 by p-bit
    bool found = false, best_defined = false;
    std::int64_t f = 0, g = 0, best_f = 0;
  };
  void burst(const Call& call);
  std::int64_t sweep(std::vector<int>& spin, std::uint64_t parameters, bool hold);
  std::int64_t update(std::size_t p, const std::vector<int>& seen, std::vector<int>& spin,
                      std::uint64_t parameters, bool hold);
  std::int64_t entry(std::size_t p, std::size_t table, std::size_t address) const;

  Description d_;
  std::vector<std::uint64_t> tables_;
  std::vector<Place> ring_;
  std::vector<std::vector<std::uint32_t>> streams_;  // by p-bit, oldest word first
};

// All streams after seeding, and one step of a stream.
std::vector<std::vector<std::uint32_t>> seeded(const Noise& noise, std::uint64_t seed);
void step(std::vector<std::uint32_t>& stream, std::uint32_t injected);

// T of a random word without its sign, in units of ln 2 / 256.
std::int64_t threshold(const Noise& noise, std::uint32_t word);
std::int64_t gumbel(const std::vector<std::uint64_t>& table, std::uint32_t word);

}  // namespace reference
