// The random streams: full period, seeding of full rank, no correlation between p-bits, between
// replicas or between calls with neighbouring seeds. 5.5 sigma two-sided is a false alarm of 4e-8 a
// figure; a test that looks at up to 5e4 figures at once thus fails by chance with less than 0.2 %,
// and its seed is fixed.
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../../hls/random_stream.hpp"
#include "reference_kernel.hpp"
#include "topology/hls_header.hpp"
#include "topology/topology.hpp"

namespace {

constexpr double kSigmas = 5.5;
__extension__ using Wide = unsigned __int128;

// ---- GF(2): a state of up to 128 bits and linear maps on it ----------------------------------
using State = std::array<std::uint64_t, 2>;
using Matrix = std::vector<State>;  // columns

State operator^(State a, State b) {
  return {a[0] ^ b[0], a[1] ^ b[1]};
}

State apply(const Matrix& m, const State& v) {
  State sum{0, 0};
  for (std::size_t i = 0; i < m.size(); ++i) {
    if ((v[i / 64] >> i % 64 & 1) != 0) sum = sum ^ m[i];
  }
  return sum;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c;
  for (const State& column : b) c.push_back(apply(a, column));
  return c;
}

State unit(std::size_t bit) {
  State s{0, 0};
  s[bit / 64] = std::uint64_t{1} << bit % 64;
  return s;
}

Matrix identity(std::size_t bits) {
  Matrix m;
  for (std::size_t i = 0; i < bits; ++i) m.push_back(unit(i));
  return m;
}

// One step as the contract writes it, on (x, y, z, w) or (x, w).
State step(const State& s, std::size_t words) {
  std::array<std::uint32_t, 4> v{};
  for (std::size_t i = 0; i < words; ++i)
    v[i] = static_cast<std::uint32_t>(s[i / 2] >> 32 * (i % 2));
  const bool four = words == 4;
  const std::uint32_t x = v[0], w = v[words - 1];
  const std::uint32_t t = x ^ (x << (four ? 11 : 10));
  for (std::size_t i = 0; i + 1 < words; ++i) v[i] = v[i + 1];
  v[words - 1] = w ^ (w >> (four ? 19 : 10)) ^ t ^ (t >> (four ? 8 : 13));
  State next{0, 0};
  for (std::size_t i = 0; i < words; ++i) next[i / 2] |= std::uint64_t{v[i]} << 32 * (i % 2);
  return next;
}

Matrix step_matrix(std::size_t words) {
  Matrix m;
  for (std::size_t i = 0; i < 32 * words; ++i) m.push_back(step(unit(i), words));
  return m;
}

Matrix power(Matrix m, Wide exponent) {
  Matrix result = identity(m.size());
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = product(result, m);
    m = product(m, m);
  }
  return result;
}

class Span {
 public:
  // Adds a vector to the basis; says whether it was independent of it.
  bool add(State v) {
    for (int bit = 127; bit >= 0; --bit) {
      const auto b = static_cast<std::size_t>(bit);
      if ((v[b / 64] >> b % 64 & 1) == 0) continue;
      if (!present_[b]) {
        basis_[b] = v;
        present_[b] = true;
        ++rank_;
        return true;
      }
      v = v ^ basis_[b];
    }
    return false;
  }
  std::size_t rank() const { return rank_; }

 private:
  std::array<State, 128> basis_{};
  std::array<bool, 128> present_{};
  std::size_t rank_ = 0;
};

// What bit i of the byte injected in step n becomes in the state when seeding ends.
std::vector<std::array<State, 8>> injections(std::size_t words) {
  std::vector<std::array<State, 8>> all(64);
  for (std::size_t i = 0; i < 8; ++i) {
    State v = unit(32 * (words - 1) + i);
    for (std::size_t n = 64; n-- > 0;) {
      all[n][i] = v;
      v = step(v, words);
    }
  }
  return all;
}

std::size_t seeding_rank(const std::vector<std::array<State, 8>>& injected, std::uint64_t code) {
  Span span;
  for (std::size_t n = 0; n < 64; ++n) {
    if ((code >> n & 1) == 0) continue;
    for (const State& v : injected[n]) span.add(v);
  }
  return span.rank();
}

void check_seeding(const chainmail::Topology& t) {
  const std::size_t bits = 32 * t.options.rng_words;
  const auto injected = injections(t.options.rng_words);
  for (std::size_t p = 0; p < t.pbits(); ++p) {
    REQUIRE(seeding_rank(injected, t.wiring[p].seed_code) == bits);
    for (std::size_t q = 0; q < p; ++q) {
      REQUIRE(seeding_rank(injected, t.wiring[p].seed_code ^ t.wiring[q].seed_code) == bits);
    }
  }
}

// ---- statistics on the kernel's own code (topology 100x3) ------------------------------------
std::vector<std::vector<std::uint32_t>> kernel_words(std::uint64_t seed, std::size_t count) {
  static random_t stream[kPbits][kRngWords];
  seed_streams(stream, seed);
  std::vector<std::vector<std::uint32_t>> all(kPbits);
  for (std::size_t p = 0; p < kPbits; ++p) {
    for (std::size_t k = 0; k < count; ++k) {
      all[p].push_back(static_cast<std::uint32_t>(stream[p][kRngWords - 1]));
      step_stream(stream[p], 0);
    }
  }
  return all;
}

using Bits = std::vector<std::uint64_t>;

// +-1 sequences as bits; the correlation of two is a population count.
template <typename Predicate>
Bits bits_of(const std::vector<std::uint32_t>& words, Predicate predicate) {
  Bits bits((words.size() + 63) / 64, 0);
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (predicate(words[k])) bits[k / 64] |= std::uint64_t{1} << k % 64;
  }
  return bits;
}

double sigmas(const Bits& a, const Bits& b, std::size_t count) {
  std::int64_t differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differ += std::popcount(a[i] ^ b[i]);
  const double agree = static_cast<double>(count) - 2.0 * static_cast<double>(differ);
  return std::abs(agree) / std::sqrt(static_cast<double>(count));
}

// Sign, whether the octave is 0, and the top mantissa bit: each is a fair coin.
void check_pairs(const std::vector<std::vector<std::uint32_t>>& words, std::size_t streams) {
  for (unsigned bit : {31U, 30U, 6U}) {
    std::vector<Bits> coin;
    for (std::size_t p = 0; p < streams; ++p) {
      coin.push_back(bits_of(words[p], [&](std::uint32_t w) { return (w >> bit & 1) != 0; }));
    }
    double worst = 0.0;
    for (std::size_t p = 0; p < streams; ++p) {
      for (std::size_t q = 0; q < p; ++q) {
        worst = std::max(worst, sigmas(coin[p], coin[q], words[p].size()));
      }
    }
    INFO("bit " << bit << ": largest of " << streams * (streams - 1) / 2 << " correlations");
    CHECK(worst < kSigmas);
  }
}

double chi_square_bytes(const std::vector<std::uint32_t>& words, unsigned shift) {
  std::array<double, 256> count{};
  for (std::uint32_t w : words) ++count[w >> shift & 255];
  const double expected = static_cast<double>(words.size()) / 256;
  double chi = 0.0;
  for (double c : count) chi += (c - expected) * (c - expected) / expected;
  return (chi - 255.0) / std::sqrt(2.0 * 255.0);
}

void check_stream(const std::vector<std::uint32_t>& words) {
  const std::size_t count = words.size();
  for (unsigned shift : {0U, 8U, 16U, 24U}) CHECK(std::abs(chi_square_bytes(words, shift)) < 7.0);
  for (unsigned bit : {31U, 30U, 29U, 6U, 2U}) {
    const Bits coin = bits_of(words, [&](std::uint32_t w) { return (w >> bit & 1) != 0; });
    const Bits zero(coin.size(), 0);
    CHECK(sigmas(coin, zero, count) < kSigmas);  // as many ones as zeros
    // Lags: also counts runs, as lag 1 does not change where a run goes on.
    for (std::size_t lag : {1U, 2U, 3U, 4U, 5U, 8U, 16U, 32U, 64U, 100U}) {
      const std::vector<std::uint32_t> head(words.begin(), words.end() - static_cast<long>(lag));
      const std::vector<std::uint32_t> tail(words.begin() + static_cast<long>(lag), words.end());
      const auto at = [&](std::uint32_t w) { return (w >> bit & 1) != 0; };
      CHECK(sigmas(bits_of(head, at), bits_of(tail, at), head.size()) < kSigmas);
    }
  }
}

}  // namespace

TEST_CASE("streams have full period", "[hls][stream]") {
  // 2^64 - 1 and 2^128 - 1 are products of these primes; an order that divides the first and none
  // of its quotients is the full one.
  const std::vector<std::uint64_t> primes{3,     5,      17,      257,           641,
                                          65537, 274177, 6700417, 67280421310721};
  for (std::size_t words : {2U, 4U}) {
    const Matrix m = step_matrix(words);
    const Matrix one = identity(32 * words);
    const Wide order = words == 4 ? ~static_cast<Wide>(0) : static_cast<Wide>(~0ULL);
    CHECK(power(m, order) == one);
    for (std::uint64_t prime : primes) {
      if (order % prime != 0) continue;
      CHECK(power(m, order / prime) != one);
    }
  }
}

TEST_CASE("any two streams differ by a full-rank function of the seeder's bytes", "[hls][stream]") {
  check_seeding(chainmail::topology_from_name("16x3"));
  check_seeding(chainmail::topology_from_name("5x2-t9-b17-w2-r16"));
}

TEST_CASE("any two streams of 100x3 differ by a full-rank function", "[.long][hls][stream]") {
  check_seeding(chainmail::topology_from_name("100x3"));
}

TEST_CASE("the kernel's streams are the contract's", "[hls][stream]") {
  const reference::Description description(
      chainmail::hls_header(chainmail::topology_from_name("100x3")));
  auto streams = reference::seeded(description.noise, 0x123456789abcdef0);
  std::vector<std::vector<std::uint32_t>> words(streams.size());
  for (std::size_t p = 0; p < streams.size(); ++p) {
    for (int k = 0; k < 20; ++k) {
      words[p].push_back(streams[p].back());
      reference::step(streams[p], 0);
    }
  }
  CHECK(kernel_words(0x123456789abcdef0, 20) == words);
}

TEST_CASE("p-bits are uncorrelated along a stream", "[hls][stream]") {
  check_pairs(kernel_words(1, 16384), 150);
}

TEST_CASE("p-bits are uncorrelated at the start of calls with consecutive seeds", "[hls][stream]") {
  // The first words matter most: every burst starts with them, and hosts like to count seeds.
  std::vector<std::vector<std::uint32_t>> first(kPbits);
  for (std::uint64_t seed = 0; seed < 4096; ++seed) {
    const auto words = kernel_words(seed, 1);
    for (std::size_t p = 0; p < kPbits; ++p) first[p].push_back(words[p][0]);
  }
  check_pairs(first, 100);
  for (std::size_t p = 0; p < 20; ++p) check_stream(first[p]);
}

TEST_CASE("single streams are uniform and without memory", "[hls][stream]") {
  const auto words = kernel_words(77, 100000);
  for (std::size_t p = 0; p < 4; ++p) check_stream(words[p]);
}

TEST_CASE("replicas of one call are uncorrelated", "[hls][stream]") {
  // Replica r uses words r, r + R, r + 2R...: the lag is between replicas of one p-bit.
  const auto words = kernel_words(5, 400 * 256);
  std::vector<std::vector<std::uint32_t>> replica(64);
  for (std::size_t k = 0; k < 256; ++k) {
    for (std::size_t r = 0; r < replica.size(); ++r) {
      for (std::size_t p = 0; p < 16; ++p) replica[r].push_back(words[p][k * 400 + r]);
    }
  }
  check_pairs(replica, replica.size());
}

TEST_CASE("streams hold for a million words", "[.long][hls][stream]") {
  const auto words = kernel_words(9, 1000000);
  check_pairs(words, kPbits);
  for (std::size_t p = 0; p < 30; ++p) check_stream(words[p]);
}

// Words for dieharder: build/tests/hls "[.words]" | dieharder -g 200 -a
TEST_CASE("print words of all p-bits for outside tests", "[.words]") {
  static random_t stream[kPbits][kRngWords];
  const char* each = std::getenv("CHAINMAIL_STREAM");  // one p-bit's stream instead of all in turn
  const unsigned first = each != nullptr ? static_cast<unsigned>(std::atoi(each)) : 0;
  const unsigned last = each != nullptr ? first + 1 : kPbits;
  seed_streams(stream, 1);
  for (;;) {
    for (unsigned p = first; p < last; ++p) {
      const auto word = static_cast<std::uint32_t>(stream[p][kRngWords - 1]);
      step_stream(stream[p], 0);
      if (std::fwrite(&word, sizeof word, 1, stdout) != 1) return;
    }
  }
}
