#include "reference_kernel.hpp"

#include <bit>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace reference {

namespace {

constexpr std::uint32_t kLoadTables = 1, kLoadSpins = 2, kStoreSpins = 4, kStoreBest = 8,
                        kDescribe = 16, kNoBurst = 32;
constexpr std::uint64_t kNoBest = 0x7fff'ffff;

}  // namespace

namespace {

std::string without_comments(const std::string& text) {
  std::string header;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("//")) header += line + "\n";
  }
  return header;
}

}  // namespace

std::vector<std::uint64_t> numbers(const std::string& header, const std::string& name) {
  const std::string text = without_comments(header);
  std::size_t at = text.find(" " + name + " = ");
  if (at == std::string::npos) at = text.find(" " + name + "[");
  if (at == std::string::npos) throw std::runtime_error("no " + name + " in the header");
  at = text.find('=', at);
  const std::size_t end = text.find(';', at);
  std::vector<std::uint64_t> all;
  while ((at = text.find_first_of("0123456789", at)) < end) {
    std::size_t length = 0;
    all.push_back(std::stoull(text.substr(at, 24), &length, 0));
    at += length;
  }
  return all;
}

Noise noise_of(const std::string& header, const std::string& streams) {
  return {static_cast<std::size_t>(numbers(header, streams).at(0)),
          static_cast<std::size_t>(numbers(header, "kRngWords").at(0)),
          numbers(header, "kSeedCode"), numbers(header, "kBase"), numbers(header, "kDither")};
}

Description::Description(const std::string& header) {
  const auto list = [&](const char* name) { return numbers(header, name); };
  const auto one = [&](const char* name) { return static_cast<std::size_t>(list(name).at(0)); };
  logical = one("kLogical");
  pbits = one("kPbits");
  colours = one("kColours");
  table_bits = one("kTableBits");
  address_bits = one("kAddressBits");
  tables = one("kTables");
  beta_bits = one("kBetaBits");
  noise = noise_of(header, "kPbits");
  max_replicas = one("kMaxReplicas");
  state_words = one("kStateWords");
  table_words = one("kTableWords");
  neighbour = list("kNeighbour");
  early_tables = list("kEarlyTables");
  used_tables = list("kUsedTables");
  link = list("kLink");
  member = list("kMember");
  stage_begin = list("kStageBegin");
  status_block = list("kStatusBlock");
}

void step(std::vector<std::uint32_t>& stream, std::uint32_t injected) {
  const bool four = stream.size() == 4;
  const std::uint32_t x = stream.front(), w = stream.back();
  const std::uint32_t t = x ^ (x << (four ? 11 : 10));
  const std::uint32_t next = w ^ (w >> (four ? 19 : 10)) ^ t ^ (t >> (four ? 8 : 13)) ^ injected;
  stream.erase(stream.begin());
  stream.push_back(next);
}

std::vector<std::vector<std::uint32_t>> seeded(const Noise& noise, std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> streams(noise.streams,
                                                  std::vector<std::uint32_t>(noise.rng_words, 0));
  auto a = static_cast<std::uint32_t>(seed >> 32), b = static_cast<std::uint32_t>(seed);
  for (std::uint32_t n = 0; n < 64; ++n) {
    a = (std::rotr(a, 8) + b) ^ n;
    b = std::rotl(b, 3) ^ a;
    for (std::size_t p = 0; p < noise.streams; ++p) {
      step(streams[p], (noise.seed_code[p] >> n & 1) != 0 ? a & 0xff : 0);
    }
  }
  return streams;
}

// The threshold's fields of the word, but another table.
std::int64_t gumbel(const std::vector<std::uint64_t>& table, std::uint32_t word) {
  std::size_t e = 0;
  while (e < 24 && (word >> (30 - e) & 1) == 0) ++e;
  const std::uint64_t entry = table[(word >> 31) * 512 + e * 16 + (word >> 3 & 15)];
  const std::int64_t base = static_cast<std::int64_t>(entry << 50) >> 50;
  return base + static_cast<std::int64_t>((entry >> 14) * (word & 7) / 4);
}

std::int64_t threshold(const Noise& noise, std::uint32_t word) {
  const std::uint32_t bits = word << 1 >> 8;  // 30 to 7
  const unsigned e = bits == 0 ? 24 : static_cast<unsigned>(std::countl_zero(bits)) - 8;
  const unsigned m = word >> 3 & 15, row = e == 24 ? 7 : e < 6 ? e : 6;
  return static_cast<std::int64_t>(256 * e + noise.base[16 * row + m] +
                                   noise.dither[8 * ((e == 0 ? 4 : 0) + m / 4) + (word & 7)]);
}

Kernel::Kernel(Description description)
    : d_(std::move(description)),
      tables_(d_.pbits * d_.record_words(), 0),
      ring_(d_.max_replicas, Place{std::vector<int>(d_.pbits, -1), {}}) {}

std::int64_t Kernel::entry(std::size_t p, std::size_t table, std::size_t address) const {
  const std::uint64_t word =
      tables_[p * d_.record_words() + table * d_.table_words + address / 4] >> 16 * (address % 4);
  const std::uint64_t sign = std::uint64_t{1} << (d_.table_bits - 1);
  const std::uint64_t kept = word & (2 * sign - 1);
  return static_cast<std::int64_t>(kept ^ sign) - static_cast<std::int64_t>(sign);
}

std::int64_t Kernel::update(std::size_t p, const std::vector<int>& seen, std::vector<int>& spin,
                            std::uint64_t parameters, bool hold) {
  std::int64_t field = 0, early = 0;
  for (std::size_t t = 0; t < d_.used_tables[p]; ++t) {
    std::size_t address = 0;
    for (std::size_t b = 0; b < d_.address_bits; ++b) {
      const std::uint64_t other = d_.neighbour[(p * d_.tables + t) * d_.address_bits + b];
      if (other != d_.pbits && seen[other] > 0) address |= std::size_t{1} << b;
    }
    field += entry(p, t, address);
    if (t < d_.early_tables[p]) early += entry(p, t, address);
  }
  std::int64_t chain = 0;
  for (std::uint64_t other : {d_.link[2 * p], d_.link[2 * p + 1]}) {
    if (other != d_.pbits) chain += seen[other];
  }
  const auto beta =
      static_cast<std::int64_t>(parameters & ((std::uint64_t{1} << d_.beta_bits) - 1));
  const auto penalty = static_cast<std::int64_t>(parameters >> 32 & 0xffff);
  const std::int64_t unit = std::int64_t{1} << (d_.beta_bits - 9);
  const std::uint32_t word = streams_[p].back();
  const std::int64_t magnitude = threshold(d_.noise, word) * unit;
  const std::int64_t y = beta * field + penalty * chain * unit;
  const bool clamp = (tables_[(p + 1) * d_.record_words() - 1] & 1) != 0;
  if (!hold && !clamp) spin[p] = y + ((word >> 31) != 0 ? ~magnitude : magnitude) >= 0 ? 1 : -1;
  return -spin[p] * early;
}

std::int64_t Kernel::sweep(std::vector<int>& spin, std::uint64_t parameters, bool hold) {
  std::int64_t f = 0;
  for (std::size_t c = 0; c < d_.colours; ++c) {
    const std::vector<int> seen = spin;
    for (std::size_t m = d_.stage_begin[c]; m < d_.stage_begin[c + 1]; ++m) {
      f += update(d_.member[m], seen, spin, parameters, hold);
    }
  }
  for (auto& stream : streams_) step(stream, 0);
  return f;
}

void Kernel::burst(const Call& call) {
  streams_ = seeded(d_.noise, call.seed);
  for (std::uint32_t r = 0; r < call.replicas; ++r) {
    ring_[call.first + r].found = false;
    ring_[call.first + r].best_defined = true;
  }
  const bool hold = call.sweeps == 0;
  for (std::uint32_t s = 0; s < (hold ? 1 : call.sweeps); ++s) {
    for (std::uint32_t r = 0; r < call.replicas; ++r) {
      Place& place = ring_[call.first + r];
      place.f = sweep(place.spin, call.parameters[r], hold);
      place.g = 0;
      for (std::size_t p = 0; p + d_.logical < d_.pbits; ++p) {
        place.g += place.spin[p] != place.spin[p + d_.logical] ? 2 : 0;
      }
      if (place.g == 0 && (!place.found || place.f < place.best_f)) {
        place.found = true;
        place.best_f = place.f;
        place.best = place.spin;
      }
    }
  }
}

void Kernel::run(Call& call) {
  std::uint32_t code = 0;
  if ((call.flags & ~std::uint32_t{63}) != 0) {
    code = 2;
  } else if ((call.flags & kDescribe) == 0) {
    const bool fits =
        call.replicas != 0 && std::uint64_t{call.first} + call.replicas <= d_.max_replicas;
    if (!fits) code = 1;
  }
  call.status = d_.status_block;
  call.status[2] |= code;
  if (code != 0 || (call.flags & kDescribe) != 0) return;

  const auto place = [&](std::uint32_t r) -> Place& { return ring_[call.first + r]; };
  const auto state = [&](std::vector<std::uint64_t>& words, std::uint32_t r) {
    return words.data() + r * d_.state_words;
  };
  if ((call.flags & kLoadTables) != 0) {
    tables_ = call.tables;
    for (Place& p : ring_) p.best_defined = false;
  }
  for (std::uint32_t r = 0; r < call.replicas && (call.flags & kLoadSpins) != 0; ++r) {
    for (std::size_t p = 0; p < d_.pbits; ++p) {
      place(r).spin[p] = (state(call.spins, r)[p / 64] >> p % 64 & 1) != 0 ? 1 : -1;
    }
  }
  if ((call.flags & kNoBurst) == 0) {
    burst(call);
    for (std::uint32_t r = 0; r < call.replicas; ++r) {
      const std::uint64_t best =
          place(r).found ? static_cast<std::uint32_t>(place(r).best_f) : kNoBest;
      call.results[2 * r] = static_cast<std::uint32_t>(place(r).f) | best << 32;
      call.results[2 * r + 1] = static_cast<std::uint64_t>(place(r).g);
    }
  }
  const auto store = [&](std::uint64_t* words, const std::vector<int>* spin) {
    for (std::size_t w = 0; w < d_.state_words; ++w) words[w] = 0;
    for (std::size_t p = 0; spin != nullptr && p < d_.pbits; ++p) {
      if ((*spin)[p] > 0) words[p / 64] |= std::uint64_t{1} << p % 64;
    }
  };
  for (std::uint32_t r = 0; r < call.replicas; ++r) {
    if ((call.flags & kStoreSpins) != 0) store(state(call.spins, r), &place(r).spin);
    if ((call.flags & kStoreBest) != 0) {
      store(state(call.best, r), place(r).found ? &place(r).best : nullptr);
    }
  }
}

bool Kernel::best_is_defined(std::uint32_t first, std::uint32_t replicas) const {
  for (std::uint32_t r = 0; r < replicas; ++r) {
    if (!ring_[first + r].best_defined) return false;
  }
  return true;
}

}  // namespace reference
