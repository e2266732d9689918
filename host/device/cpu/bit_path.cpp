// Multi-spin coding across replicas: every row of the state is one p-bit, every bit of it one
// replica. A few full adders count how many neighbours pull up, in all replicas at once. A spin
// points against its field with probability q = 1 / (1 + exp(2 beta |field|)), which differs from
// lane to lane; so the comparison u < q runs digit by digit, one random bit per lane and digit, and
// stops when every lane has met a digit where u and q differ, after about log2(lanes) + 1 digits.
// Replicas keep their own beta and share no random bit.
#include "device/cpu/bit_path.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "device/cpu/bit_model.hpp"
#include "device/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/bit_path.cpp"  // NOLINT: Highway's way to recompile
#include <hwy/foreach_target.h>                       // IWYU pragma: keep

#include <hwy/highway.h>

#include "device/cpu/noise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

template <class V>
struct Count {
  V ones, twos, fours;
};

template <class V>
HWY_INLINE V majority(V a, V b, V c) {
  return hn::Or(hn::And(a, b), hn::And(c, hn::Xor(a, b)));
}

// The number of set bits among up to seven inputs, lane by lane.
template <std::size_t kInputs, class D, class V>
HWY_INLINE Count<V> count_bits(D d, const V (&x)[kFewNeighbours]) {
  const auto zero = hn::Zero(d);
  const auto in = [&](std::size_t k) HWY_ATTR { return k < kInputs ? x[k] : zero; };
  const auto s1 = hn::Xor3(in(0), in(1), in(2)), c1 = majority(in(0), in(1), in(2));
  const auto s2 = hn::Xor3(in(3), in(4), in(5)), c2 = majority(in(3), in(4), in(5));
  const auto c3 = majority(s1, s2, in(6));
  return {hn::Xor3(s1, s2, in(6)), hn::Xor3(c1, c2, c3), majority(c1, c2, c3)};
}

template <class V>
HWY_INLINE V equals(const Count<V>& n, std::size_t value) {
  const auto ones = (value & 1U) != 0 ? n.ones : hn::Not(n.ones);
  const auto twos = (value & 2U) != 0 ? n.twos : hn::Not(n.twos);
  const auto fours = (value & 4U) != 0 ? n.fours : hn::Not(n.fours);
  return hn::And(ones, hn::And(twos, fours));
}

// What the loops need, in locals: stores to the state may alias anything reached by pointers.
template <class D>
struct BitLoop {
  const BitEdge* edges;
  std::uint64_t* spins;
  const std::uint64_t* digits;
  const std::size_t* last_field;
  RoundKeys<D> keys;
  hn::Vec<D> lanes;  // counters of the vector's 128-bit parts, whitened
  hn::Vec<D> step;   // from one digit to the next
  std::size_t words;
};

// Where a spin points against its field; q_digit(k) has digit k of the probability in every lane.
template <class D, class Digit>
HWY_INLINE hn::Vec<D> against_field(D d, const BitLoop<D>& loop, std::uint64_t row,
                                    const Digit& q_digit) {
  auto undecided = hn::Not(hn::Zero(d)), against = hn::Zero(d);
  auto counter = hn::Add(loop.lanes, counters<0>(d, 0, row));
  for (std::size_t k = 0; k < kPlanes; ++k, counter = hn::Add(counter, loop.step)) {
    const auto u = hn::BitCast(d, random_bits(d, loop.keys, counter));
    const auto q = q_digit(k);
    // Decided: below, if u = 0 and q = 1; u = q continues with the next digit.
    against = hn::OrAnd(against, undecided, hn::AndNot(u, q));
    undecided = hn::AndNot(hn::Xor(u, q), undecided);
    if (k >= 5 && hn::AllTrue(d, hn::Eq(undecided, hn::Zero(d)))) break;
  }
  return against;
}

// Up where the neighbour at the other end of an edge pulls up.
template <class D>
HWY_INLINE hn::Vec<D> pull(D d, const std::uint64_t* spins, BitEdge edge, std::size_t words,
                           std::size_t word) {
  return hn::Xor(hn::Load(d, spins + edge.spin() * words + word), hn::Set(d, edge.flip()));
}

template <std::size_t kDegree, class D>
HWY_INLINE void update_degree(D d, const BitLoop<D>& loop, std::size_t pbit, std::size_t first_edge,
                              std::uint64_t row, std::size_t word) {
  using V = hn::Vec<D>;
  constexpr std::size_t kLevels = kDegree / 2 + 1;  // |field| = kDegree, kDegree - 2, ...
  const BitEdge* edges = loop.edges + first_edge;
  V x[kFewNeighbours];
  for (std::size_t e = 0; e < kDegree; ++e) {
    x[e] = pull(d, loop.spins, edges[e], loop.words, word);
  }
  const Count<V> n = count_bits<kDegree>(d, x);
  V level[kLevels];
  auto with_field = hn::Zero(d);  // up where most neighbours pull up
  for (std::size_t l = 0; l < kLevels; ++l) {
    const auto high = equals(n, kDegree - l);
    level[l] = 2 * l == kDegree ? high : hn::Or(high, equals(n, l));
    with_field = hn::Or(with_field, high);
  }
  const auto against = against_field(d, loop, row, [&](std::size_t k) HWY_ATTR {
    auto q = hn::Zero(d);
    for (std::size_t l = 0; l < kLevels; ++l) {
      const std::size_t field = kDegree - 2 * l;
      q = hn::OrAnd(q, level[l],
                    hn::Load(d, loop.digits + (field * kPlanes + k) * loop.words + word));
    }
    return q;
  });
  hn::Store(hn::Xor(with_field, against), d, loop.spins + pbit * loop.words + word);
}

// digit[k] (weight 2^k) += n; carries end where they vanish in all lanes, at the latest at `most`.
template <class D, class V>
HWY_INLINE void add_count(D d, V* digit, std::size_t most, const Count<V>& n) {
  auto carry = hn::And(digit[0], n.ones);
  digit[0] = hn::Xor(digit[0], n.ones);
  const auto next = majority(digit[1], n.twos, carry);
  digit[1] = hn::Xor3(digit[1], n.twos, carry);
  carry = majority(digit[2], n.fours, next);
  digit[2] = hn::Xor3(digit[2], n.fours, next);
  for (std::size_t k = 3; k < most && !hn::AllTrue(d, hn::Eq(carry, hn::Zero(d))); ++k) {
    const auto sum = hn::Xor(digit[k], carry);
    carry = hn::And(digit[k], carry);
    digit[k] = sum;
  }
}

// Any number of neighbours. The count starts at 32 - ceil(degree / 2), so that its highest digit
// says whether the field points up and the five others, inverted where it does not, give
// floor(|field| / 2); down and even fields are one more.
template <class D>
HWY_INLINE void update_many(D d, const BitLoop<D>& loop, std::size_t pbit, std::size_t first_edge,
                            std::size_t degree, std::uint64_t row, std::size_t word) {
  using V = hn::Vec<D>;
  constexpr std::size_t kDigits = 6, kHalf = 32;
  const BitEdge* edge = loop.edges + first_edge;
  const auto zero = hn::Zero(d), one = hn::Not(hn::Zero(d));
  const std::size_t start = kHalf - (degree + 1) / 2, odd = degree % 2;
  V n[kDigits];
  for (std::size_t k = 0; k < kDigits; ++k) n[k] = (start >> k & 1U) != 0 ? one : zero;
  for (std::size_t left = degree; left > 0;) {
    const std::size_t now = std::min(left, kFewNeighbours);
    V x[kFewNeighbours];
    for (std::size_t e = 0; e < kFewNeighbours; ++e) {
      x[e] = e < now ? pull(d, loop.spins, edge[e], loop.words, word) : zero;
    }
    add_count(d, n, kDigits, count_bits<kFewNeighbours>(d, x));
    edge += now;
    left -= now;
  }
  const auto with_field = n[kDigits - 1], down = hn::Not(with_field);
  auto carry = odd != 0 ? zero : down;
  for (std::size_t k = 0; k + 1 < kDigits; ++k) {
    const auto turned = hn::Xor(n[k], down);
    n[k] = hn::Xor(turned, carry);
    carry = hn::And(turned, carry);
  }
  V low[8], level[kHalf];
  for (std::size_t v = 0; v < 8; ++v) low[v] = equals(Count<V>{n[0], n[1], n[2]}, v);
  for (std::size_t l = 0; 2 * l + odd <= degree; ++l) {
    level[l] = hn::And(low[l % 8], equals(Count<V>{n[3], n[4], zero}, l / 8));
  }
  const auto against = against_field(d, loop, row, [&](std::size_t k) HWY_ATTR {
    const std::size_t last = std::min(degree, loop.last_field[k]);
    const std::uint64_t* digits = loop.digits + (odd * kPlanes + k) * loop.words + word;
    auto q = zero;
    for (std::size_t l = 0; 2 * l + odd <= last; ++l) {
      q = hn::OrAnd(q, level[l], hn::Load(d, digits + 2 * l * kPlanes * loop.words));
    }
    return q;
  });
  hn::Store(hn::Xor(with_field, against), d, loop.spins + pbit * loop.words + word);
}

template <class D>
HWY_INLINE void update(D d, const BitLoop<D>& loop, std::size_t pbit, std::size_t first_edge,
                       std::size_t degree, std::uint64_t row, std::size_t word) {
  switch (degree) {
    case 0:
      return update_degree<0>(d, loop, pbit, first_edge, row, word);
    case 1:
      return update_degree<1>(d, loop, pbit, first_edge, row, word);
    case 2:
      return update_degree<2>(d, loop, pbit, first_edge, row, word);
    case 3:
      return update_degree<3>(d, loop, pbit, first_edge, row, word);
    case 4:
      return update_degree<4>(d, loop, pbit, first_edge, row, word);
    case 5:
      return update_degree<5>(d, loop, pbit, first_edge, row, word);
    case 6:
      return update_degree<6>(d, loop, pbit, first_edge, row, word);
    case 7:
      return update_degree<7>(d, loop, pbit, first_edge, row, word);
    default:
      return update_many(d, loop, pbit, first_edge, degree, row, word);
  }
}

template <std::size_t kWords>
void sweep_words(const BitModel& model, BitState& state, std::uint64_t first, std::uint64_t count) {
  using D = hn::CappedTag<std::uint64_t, kWords>;
  const D d;
  const std::uint32_t* first_edge = model.first_edge.data();
  const std::size_t pbits = model.pbits;
  const RoundKeys<D> keys(state.key);
  BitLoop<D> loop{model.edges.data(),
                  state.spins.get(),
                  state.digits.get(),
                  state.last_field.data(),
                  keys,
                  hn::Zero(d),
                  counters<0>(d, 1, 0),
                  kWords};
  for (std::size_t word = 0; word < kWords; word += hn::Lanes(d)) {
    // 128 lanes take 64 counters per row, one for each digit.
    const std::uint64_t group = (state.first_replica + 64 * word) / 128;
    loop.lanes = whitened(d, keys, counters<64>(d, 64 * group, 0));
    std::uint64_t row = first * pbits;
    for (std::uint64_t sweep = 0; sweep < count; ++sweep) {
      for (std::size_t i = 0; i < pbits; ++i, ++row) {
        update(d, loop, i, first_edge[i], first_edge[i + 1] - first_edge[i], row, word);
      }
    }
  }
}

void sweep_bits(const BitModel& model, BitState& state, std::uint64_t first, std::uint64_t count) {
  switch (state.words) {
    case 2:
      return sweep_words<2>(model, state, first, count);
    case 4:
      return sweep_words<4>(model, state, first, count);
    default:
      return sweep_words<8>(model, state, first, count);
  }
}

// Counts satisfied couplings in every lane: planes[k][word] holds digit k (weight 2^k) of the
// count.
template <std::size_t kWords>
void count_words(const BitModel& model, const BitState& state, std::uint64_t* planes) {
  const hn::CappedTag<std::uint64_t, kWords> d;
  using V = hn::Vec<decltype(d)>;
  for (std::size_t word = 0; word < kWords; word += hn::Lanes(d)) {
    V digit[kCountPlanes];
    for (V& v : digit) v = hn::Zero(d);
    for (std::size_t i = 0; i < model.pbits; ++i) {
      const auto own = hn::Load(d, state.spins.get() + i * kWords + word);
      V x[kFewNeighbours];
      std::size_t used = 0;
      const auto count = [&]() HWY_ATTR {
        while (used < kFewNeighbours) x[used++] = hn::Zero(d);
        add_count(d, digit, kCountPlanes, count_bits<kFewNeighbours>(d, x));
        used = 0;
      };
      for (std::size_t e = model.first_edge[i]; e < model.first_edge[i + 1]; ++e) {
        const BitEdge edge = model.edges[e];
        if (edge.spin() > i) continue;  // counted at its other end
        x[used++] = hn::Not(hn::Xor(own, pull(d, state.spins.get(), edge, kWords, word)));
        if (used == kFewNeighbours) count();
      }
      if (used > 0) count();
    }
    for (std::size_t k = 0; k < kCountPlanes; ++k) {
      hn::Store(digit[k], d, planes + k * kWords + word);
    }
  }
}

void count_satisfied(const BitModel& model, const BitState& state, std::uint64_t* planes) {
  switch (state.words) {
    case 2:
      return count_words<2>(model, state, planes);
    case 4:
      return count_words<4>(model, state, planes);
    default:
      return count_words<8>(model, state, planes);
  }
}

const char* bit_target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace chainmail {
namespace {

HWY_EXPORT(sweep_bits);
HWY_EXPORT(count_satisfied);
HWY_EXPORT(bit_target);

using Against = std::array<std::uint64_t, kMostNeighbours + 1>;

// Probabilities to point against a field of m |J| up to `most`, as kPlanes-digit binary fractions.
Against against_fields(double beta_strength, std::size_t most) {
  Against words{};
  for (std::size_t m = 0; m <= most; ++m) {
    const double q = 1.0 / (1.0 + std::exp(2.0 * beta_strength * static_cast<double>(m)));
    words[m] = static_cast<std::uint64_t>(std::llround(std::ldexp(q, kPlanes)));
  }
  return words;
}

class BitBlock final : public Block {
 public:
  BitBlock(const BitModel& model, std::size_t first_replica, std::size_t lanes) : model_(model) {
    state_.first_replica = first_replica;
    state_.lanes = lanes;
    state_.words = lanes <= 128 ? 2 : lanes <= 256 ? 4 : kBitLanes / 64;
    const std::size_t words = model.pbits * state_.words;
    state_.spins = hwy::AllocateAligned<std::uint64_t>(words);
    std::fill_n(state_.spins.get(), words, ~std::uint64_t{0});
    const std::size_t digits = (model.most_neighbours + 1) * kPlanes * state_.words;
    state_.digits = hwy::AllocateAligned<std::uint64_t>(digits);
    std::fill_n(state_.digits.get(), digits, 0);
    beta_.assign(lanes, -1.0);
  }

  void write(std::size_t lane, std::span<const Spin> spins) override {
    const std::uint64_t bit = std::uint64_t{1} << lane % 64;
    for (std::size_t i = 0; i < spins.size(); ++i) {
      std::uint64_t& word = state_.spins[i * state_.words + lane / 64];
      word = spins[i] > 0 ? word | bit : word & ~bit;
    }
  }
  std::vector<Spin> read(std::size_t lane) const override {
    std::vector<Spin> spins(model_.pbits);
    for (std::size_t i = 0; i < spins.size(); ++i) {
      const std::uint64_t word = state_.spins[i * state_.words + lane / 64];
      spins[i] = (word >> lane % 64 & 1U) != 0 ? Spin{1} : Spin{-1};
    }
    return spins;
  }
  // Lanes that keep their beta keep their digits: after a swap round most of them do.
  void begin(std::span<const Parameters> parameters, const NoiseKey& key) override {
    state_.key = key;
    for (std::size_t lane = 0; lane < parameters.size(); ++lane) {
      if (beta_[lane] != parameters[lane].beta) set_beta(lane, parameters[lane].beta);
    }
    find_last_fields();
  }
  void sweep(std::uint64_t first, std::uint64_t count) override {
    HWY_DYNAMIC_DISPATCH(sweep_bits)(model_, state_, first, count);
  }
  void energies(std::span<double> f, std::span<double> g) override {
    alignas(64) std::uint64_t planes[kCountPlanes * kBitLanes / 64];
    HWY_DYNAMIC_DISPATCH(count_satisfied)(model_, state_, planes);
    const auto digits = static_cast<std::size_t>(std::bit_width(model_.couplings));
    for (std::size_t lane = 0; lane < f.size(); ++lane) {
      std::int64_t satisfied = 0;
      for (std::size_t k = 0; k < digits; ++k) {
        const std::uint64_t word = planes[k * state_.words + lane / 64];
        satisfied |= static_cast<std::int64_t>(word >> lane % 64 & 1U) << k;
      }
      const auto balance = 2 * satisfied - static_cast<std::int64_t>(model_.couplings);
      f[lane] = model_.offset - model_.strength * static_cast<double>(balance);
      g[lane] = model_.g_offset;
    }
  }

 private:
  void set_beta(std::size_t lane, double beta) {
    beta_[lane] = beta;
    if (known_.size() > 4096) known_.clear();
    const auto [entry, fresh] = known_.try_emplace(beta);
    if (fresh) {
      entry->second = against_fields(beta * model_.strength, model_.most_neighbours);
    }
    const std::uint64_t bit = std::uint64_t{1} << lane % 64;
    for (std::size_t m = 0; m <= model_.most_neighbours; ++m) {
      for (std::size_t k = 0; k < kPlanes; ++k) {
        std::uint64_t& word = state_.digits[(m * kPlanes + k) * state_.words + lane / 64];
        const bool set = (entry->second[m] >> (kPlanes - 1 - k) & 1U) != 0;
        word = set ? word | bit : word & ~bit;
      }
    }
  }

  // The hottest lane has the largest probabilities.
  void find_last_fields() {
    if (model_.most_neighbours <= kFewNeighbours) return;  // those look at all their fields
    const double hottest = *std::min_element(beta_.begin(), beta_.end());
    const Against words = against_fields(hottest * model_.strength, model_.most_neighbours);
    for (std::size_t k = 0; k < kPlanes; ++k) {
      std::size_t& last = state_.last_field[k];
      last = model_.most_neighbours;
      while (last > 0 && words[last] >> (kPlanes - 1 - k) == 0) --last;
    }
  }

  const BitModel& model_;
  BitState state_;
  std::vector<double> beta_;  // of each lane, as the digits have it
  std::unordered_map<double, Against> known_;
};

class BitPath final : public Path {
 public:
  explicit BitPath(BitModel model) : model_(std::move(model)) {}
  std::string describe() const override { return "bit-sliced path (exact couplings)"; }
  std::string target() const override { return HWY_DYNAMIC_DISPATCH(bit_target)(); }
  // Beyond 64 / |J| even one violated coupling is less likely than 2^-48 can represent.
  Parameters quantise(const Parameters& wanted) const override {
    return {std::min(wanted.beta, 64.0 / model_.strength), wanted.beta_penalty};
  }
  std::size_t block_lanes() const override { return kBitLanes; }
  std::size_t least_block_lanes() const override { return 128; }  // one counter
  std::unique_ptr<Block> make_block(std::size_t first_replica, std::size_t lanes) const override {
    return std::make_unique<BitBlock>(model_, first_replica, lanes);
  }

 private:
  BitModel model_;
};

bool all_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == 0.0; });
}

}  // namespace

std::unique_ptr<Path> make_bit_path(const PhysicalModel& model) {
  if (model.f.couplings.empty() || !model.g.couplings.empty()) return nullptr;
  if (!all_zero(model.f.fields) || !all_zero(model.g.fields)) return nullptr;
  BitModel m;
  m.pbits = model.f.size();
  m.strength = std::abs(model.f.couplings.front().value);
  m.offset = model.f.offset;
  m.g_offset = model.g.offset;
  m.couplings = model.f.couplings.size();
  for (const Coupling& c : model.f.couplings) {
    if (std::abs(c.value) != m.strength) return nullptr;
  }
  for (const auto& row : adjacency(model.f)) {
    if (row.size() > kMostNeighbours) return nullptr;
    m.most_neighbours = std::max(m.most_neighbours, row.size());
    for (const Neighbour& n : row) m.edges.emplace_back(n.spin, n.value < 0.0);
    m.first_edge.push_back(static_cast<std::uint32_t>(m.edges.size()));
  }
  return std::make_unique<BitPath>(std::move(m));
}

}  // namespace chainmail
#endif  // HWY_ONCE
