// Exact sequential heat bath. The fields of a vector of p-bits are compared with their thresholds
// at once; if one flips, its row of 2 J is added and the rest of the vector is compared again with
// the same noise. Dense rows are first added only to the current chunk, and to the rest of the
// fields once the chunk is done, so that rows are read once for all replicas of a block. All in
// integers: the same bits on every instruction set.
#include "device/cpu/cached_path.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#include "device/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/cached_path.cpp"  // NOLINT: Highway's way to recompile
#include <hwy/foreach_target.h>                          // IWYU pragma: keep

#include <hwy/highway.h>

#include "device/cpu/replica_thresholds-inl.hpp"

#ifndef CHAINMAIL_CACHED_PATH_TYPES
#define CHAINMAIL_CACHED_PATH_TYPES
namespace chainmail {

// One replica: its fields (16 or 32 bits each) and spins, one bit per slot.
struct CachedReplica {
  hwy::AlignedFreeUniquePtr<std::int8_t[]> fields;
  std::vector<std::uint64_t> spins;
  CachedScale scale;
};

struct CachedState {
  std::size_t first_replica = 0;
  std::vector<CachedReplica> replicas;
  NoiseKey key{};
};

}  // namespace chainmail
#endif

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

template <class D>
HWY_INLINE std::uint64_t bits_of(D d, hn::Mask<D> mask) {
#if HWY_TARGET == HWY_AVX3_DL
  (void)d;
  return static_cast<std::uint64_t>(mask.raw);
#else
  std::uint64_t bits = 0;
  hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
#endif
}

// A vector of row entries, as wide as the fields. A flip adds twice of them; sums may wrap on the
// way there, since fields do not.
template <class D, class J>
HWY_INLINE hn::Vec<D> load_row(D d, const J* row) {
  if constexpr (sizeof(J) == sizeof(hn::TFromD<D>)) {
    return hn::Load(d, row);
  } else {
    return hn::PromoteTo(d, hn::Load(hn::Rebind<J, D>(), row));
  }
}

// Which p-bits of a vector become up. Descending: those in a positive field, and those in zero
// field that are up already.
template <bool kDescend, class D, class V = hn::Vec<D>>
HWY_INLINE std::uint64_t wanted(D d, V field, const hn::TFromD<D>* threshold, std::uint64_t now) {
  if constexpr (kDescend) {
    const auto zero = hn::Zero(d);
    return bits_of(d, hn::Gt(field, zero)) | (bits_of(d, hn::Eq(field, zero)) & now);
  } else {
    return bits_of(d, hn::Gt(field, hn::Load(d, threshold)));
  }
}

template <class V>
HWY_INLINE V add_twice(V field, V rows) {
  return hn::Add(field, hn::Add(rows, rows));
}

// Flips of one replica in one chunk, ups first.
struct FlipList {
  std::uint32_t up[kChunk], down[kChunk];
  std::size_t ups = 0, downs = 0;
};

template <class F, class J>
HWY_INLINE void add_rows(const J* HWY_RESTRICT rows, std::size_t padded, const FlipList& flips,
                         F* HWY_RESTRICT fields, std::size_t begin, std::size_t end) {
  const hn::ScalableTag<F> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  // Several vectors at a time keep the adders busy while a list is walked.
  constexpr std::size_t kWide = 4 * kLanes;
  std::size_t at = begin;
  for (; at + kWide <= end; at += kWide) {
    auto a = hn::Zero(d), b = a, c = a, e = a;
    for (std::size_t k = 0; k < flips.ups; ++k) {
      const J* row = rows + flips.up[k] * padded + at;
      a = hn::Add(a, load_row(d, row));
      b = hn::Add(b, load_row(d, row + kLanes));
      c = hn::Add(c, load_row(d, row + 2 * kLanes));
      e = hn::Add(e, load_row(d, row + 3 * kLanes));
    }
    for (std::size_t k = 0; k < flips.downs; ++k) {
      const J* row = rows + flips.down[k] * padded + at;
      a = hn::Sub(a, load_row(d, row));
      b = hn::Sub(b, load_row(d, row + kLanes));
      c = hn::Sub(c, load_row(d, row + 2 * kLanes));
      e = hn::Sub(e, load_row(d, row + 3 * kLanes));
    }
    const auto store = [&](F* to, auto sum)
                           HWY_ATTR { hn::Store(add_twice(hn::Load(d, to), sum), d, to); };
    store(fields + at, a);
    store(fields + at + kLanes, b);
    store(fields + at + 2 * kLanes, c);
    store(fields + at + 3 * kLanes, e);
  }
  for (; at < end; at += kLanes) {
    auto a = hn::Zero(d);
    for (std::size_t k = 0; k < flips.ups; ++k) {
      a = hn::Add(a, load_row(d, rows + flips.up[k] * padded + at));
    }
    for (std::size_t k = 0; k < flips.downs; ++k) {
      a = hn::Sub(a, load_row(d, rows + flips.down[k] * padded + at));
    }
    hn::Store(add_twice(hn::Load(d, fields + at), a), d, fields + at);
  }
}

// Adds the flips of a list from (ups, downs) on to the other vectors of their chunk.
template <class F, class J>
HWY_INLINE void add_to_chunk(const J* HWY_RESTRICT rows, std::size_t padded, const FlipList& flips,
                             std::size_t ups, std::size_t downs, F* HWY_RESTRICT fields,
                             std::size_t first, std::size_t except) {
  const hn::ScalableTag<F> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  for (std::size_t at = first; at < first + kChunk; at += kLanes) {
    if (at == except) continue;
    auto sum = hn::Zero(d);
    for (std::size_t k = ups; k < flips.ups; ++k) {
      sum = hn::Add(sum, load_row(d, rows + flips.up[k] * padded + at));
    }
    for (std::size_t k = downs; k < flips.downs; ++k) {
      sum = hn::Sub(sum, load_row(d, rows + flips.down[k] * padded + at));
    }
    hn::Store(add_twice(hn::Load(d, fields + at), sum), d, fields + at);
  }
}

// One chunk of one replica of a dense model; whether anything flipped.
template <bool kDescend, class F, class J>
HWY_INLINE bool dense_chunk(const J* HWY_RESTRICT rows, std::size_t padded, std::size_t chunk,
                            std::uint64_t valid, const F* HWY_RESTRICT thresholds,
                            F* HWY_RESTRICT fields, std::uint64_t& spins) {
  const hn::ScalableTag<F> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::uint64_t kAll = (1ULL << kLanes) - 1;
  const std::size_t first = chunk * kChunk;
  FlipList flips;
  for (std::size_t v = 0; v < kChunk; v += kLanes) {
    const std::size_t at = first + v;
    auto field = hn::Load(d, fields + at);
    std::uint64_t now = spins >> v & kAll;
    std::uint64_t open = valid >> v & kAll;
    std::uint64_t differ = (wanted<kDescend>(d, field, thresholds + v, now) ^ now) & open;
    if (differ == 0) continue;
    const std::size_t ups = flips.ups, downs = flips.downs;
    do {
      const auto i = static_cast<unsigned>(std::countr_zero(differ));
      const std::uint64_t bit = 1ULL << i;
      const auto slot = static_cast<std::uint32_t>(at + i);
      const auto row = load_row(d, rows + slot * padded + at);
      now ^= bit;
      if ((now & bit) != 0) {
        flips.up[flips.ups++] = slot;
        field = add_twice(field, row);
      } else {
        flips.down[flips.downs++] = slot;
        field = hn::Sub(field, hn::Add(row, row));
      }
      open &= ~(bit | (bit - 1));
      differ = (wanted<kDescend>(d, field, thresholds + v, now) ^ now) & open;
    } while (differ != 0);
    spins = (spins & ~(kAll << v)) | now << v;
    hn::Store(field, d, fields + at);
    add_to_chunk(rows, padded, flips, ups, downs, fields, first, at);
  }
  if (flips.ups + flips.downs == 0) return false;
  add_rows(rows, padded, flips, fields, 0, first);
  add_rows(rows, padded, flips, fields, first + kChunk, padded);
  return true;
}

// The same for a sparse model: a flip goes to its neighbours at once.
template <bool kDescend, class F, class E>
HWY_INLINE bool sparse_chunk(const std::uint32_t* HWY_RESTRICT start, const E* entries,
                             const std::uint8_t* HWY_RESTRICT near, std::size_t chunk,
                             std::uint64_t valid, const F* HWY_RESTRICT thresholds, F* fields,
                             std::uint64_t& spins) {
  const hn::ScalableTag<F> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::uint64_t kAll = (1ULL << kLanes) - 1;
  bool any = false;
  for (std::size_t v = 0; v < kChunk; v += kLanes) {
    const std::size_t at = chunk * kChunk + v;
    std::uint64_t now = spins >> v & kAll;
    std::uint64_t open = valid >> v & kAll;
    std::uint64_t differ =
        (wanted<kDescend>(d, hn::Load(d, fields + at), thresholds + v, now) ^ now) & open;
    if (differ == 0) continue;
    any = true;
    do {
      const auto i = static_cast<unsigned>(std::countr_zero(differ));
      const std::uint64_t bit = 1ULL << i;
      const std::size_t slot = at + i;
      now ^= bit;
      // The branch predictor cannot guess the direction, so the sign is computed.
      const auto down = static_cast<std::int32_t>((now >> i & 1U) - 1U);
      const E* last = entries + start[slot + 1];
      for (const E* e = entries + start[slot]; e < last; ++e) {
        fields[e->slot] = static_cast<F>(fields[e->slot] + ((e->value ^ down) - down));
      }
      open &= ~(bit | (bit - 1));
      if (near[slot] != 0) {
        differ = (wanted<kDescend>(d, hn::Load(d, fields + at), thresholds + v, now) ^ now) & open;
      } else {
        differ &= open;
      }
    } while (differ != 0);
    spins = (spins & ~(kAll << v)) | now << v;
  }
  return any;
}

// Calls run(a function that updates one chunk of one replica and returns whether anything flipped).
template <bool kDescend, class F, class Run>
HWY_INLINE void with_chunk(const CachedModel& model, const Run& run) {
  const auto valid = [&](std::size_t chunk) {
    const std::size_t left = model.pbits - chunk * kChunk;
    return left >= kChunk ? ~0ULL : (1ULL << left) - 1;
  };
  const auto dense = [&](const auto* rows) HWY_ATTR {
    run([&, rows](std::size_t chunk, const F* thresholds, F* fields, std::uint64_t& spins)
            HWY_ATTR {
              return dense_chunk<kDescend>(rows, model.padded, chunk, valid(chunk), thresholds,
                                           fields, spins);
            });
  };
  const auto sparse = [&](const auto* entries) HWY_ATTR {
    run([&, entries](std::size_t chunk, const F* thresholds, F* fields, std::uint64_t& spins)
            HWY_ATTR {
              return sparse_chunk<kDescend>(model.start.data(), entries, model.near.data(), chunk,
                                            valid(chunk), thresholds, fields, spins);
            });
  };
  if (!model.dense()) {
    if constexpr (sizeof(F) == 2) {
      if (!model.narrow.empty()) return sparse(model.narrow.data());
    }
    return sparse(model.wide_entries.data());
  }
  if (model.row_bytes == 1) return dense(model.rows.get());
  if constexpr (sizeof(F) == 4) {
    if (model.row_bytes == 4) return dense(reinterpret_cast<const std::int32_t*>(model.rows.get()));
  }
  dense(reinterpret_cast<const std::int16_t*>(model.rows.get()));
}

template <class F>
void sweep_fields(const CachedModel& model, CachedState& state, std::uint64_t first,
                  std::uint64_t count) {
  const ReplicaThresholds<F> noise(state.key);
  HWY_ALIGN F thresholds[kChunk];
  const std::size_t chunks = model.padded / kChunk;
  // Dense rows are shared by all replicas of the block; sparse fields are better kept in cache.
  const std::size_t group = model.dense() ? state.replicas.size() : 1;
  with_chunk<false, F>(model, [&](const auto& update) HWY_ATTR {
    for (std::size_t begin = 0; begin < state.replicas.size(); begin += group) {
      for (std::uint64_t sweep = first; sweep < first + count; ++sweep) {
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
          for (std::size_t r = begin; r < begin + group; ++r) {
            CachedReplica& replica = state.replicas[r];
            noise.fill(state.first_replica + r, sweep, chunk * kChunk, replica.scale, thresholds);
            update(chunk, thresholds, reinterpret_cast<F*>(replica.fields.get()),
                   replica.spins[chunk]);
          }
        }
      }
    }
  });
}

void sweep_cached(const CachedModel& model, CachedState& state, std::uint64_t first,
                  std::uint64_t count) {
  (model.wide ? sweep_fields<std::int32_t> : sweep_fields<std::int16_t>)(model, state, first,
                                                                         count);
}

template <class F>
void descend_fields(const CachedModel& model, CachedReplica& replica) {
  const std::size_t chunks = model.padded / kChunk;
  with_chunk<true, F>(model, [&](const auto& update) HWY_ATTR {
    for (bool any = true; any;) {
      any = false;
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        any |= update(chunk, nullptr, reinterpret_cast<F*>(replica.fields.get()),
                      replica.spins[chunk]);
      }
    }
  });
}

void descend_cached(const CachedModel& model, CachedReplica& replica) {
  (model.wide ? descend_fields<std::int32_t> : descend_fields<std::int16_t>)(model, replica);
}

// sum_i S_i (field_i + h_i), in steps.
template <class F>
std::int64_t sum_fields(const CachedModel& model, const CachedReplica& replica) {
  using Sum = std::conditional_t<sizeof(F) == 2, std::int32_t, std::int64_t>;
  const hn::ScalableTag<Sum> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::size_t kFlush = 256;  // chunks whose sums fit: 16 * 256 of 17 bits
  const auto* fields = reinterpret_cast<const F*>(replica.fields.get());
  const auto* own = reinterpret_cast<const F*>(model.own.get());
  const std::size_t chunks = model.padded / kChunk;
  std::int64_t total = 0;
  HWY_ALIGN Sum lanes[kLanes];
  for (std::size_t begin = 0; begin < chunks; begin += kFlush) {
    auto sum = hn::Zero(d);
    for (std::size_t chunk = begin; chunk < std::min(chunks, begin + kFlush); ++chunk) {
      const std::uint64_t spins = replica.spins[chunk];
      for (std::size_t k = 0; k < kChunk; k += kLanes) {
        const std::size_t slot = chunk * kChunk + k;
        const auto both = hn::Add(load_row(d, fields + slot), load_row(d, own + slot));
        const std::uint64_t bits = spins >> k;
        const auto up = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
        sum = hn::Add(sum, hn::IfThenElse(up, both, hn::Neg(both)));
      }
    }
    hn::Store(sum, d, lanes);
    for (Sum lane : lanes) total += lane;
  }
  return total;
}

std::int64_t energy_sum(const CachedModel& model, const CachedReplica& replica) {
  return (model.wide ? sum_fields<std::int32_t> : sum_fields<std::int16_t>)(model, replica);
}

// Fields from the spins.
template <class F>
void refresh_fields(const CachedModel& model, CachedReplica& replica) {
  auto* fields = reinterpret_cast<F*>(replica.fields.get());
  const auto* own = reinterpret_cast<const F*>(model.own.get());
  std::vector<std::int64_t> sums(model.padded);
  const auto is_up = [&](std::size_t slot) {
    return (replica.spins[slot / kChunk] >> slot % kChunk & 1U) != 0;
  };
  const auto add_rows_of = [&](const auto* rows) {
    std::vector<std::int32_t> total(model.padded);
    for (std::size_t slot = 0; slot < model.pbits; ++slot) {
      const auto* row = rows + slot * model.padded;
      if (is_up(slot)) {
        for (std::size_t k = 0; k < model.padded; ++k) total[k] += row[k];
      } else {
        for (std::size_t k = 0; k < model.padded; ++k) total[k] -= row[k];
      }
    }
    for (std::size_t k = 0; k < model.padded; ++k) sums[k] = 2 * std::int64_t{total[k]};
  };
  const auto add_entries = [&](const auto& entries) {
    for (std::size_t slot = 0; slot < model.pbits; ++slot) {
      for (std::size_t k = model.start[slot]; k < model.start[slot + 1]; ++k) {
        sums[entries[k].slot] += is_up(slot) ? entries[k].value : -entries[k].value;
      }
    }
  };
  if (!model.dense()) {
    if (model.narrow.empty()) {
      add_entries(model.wide_entries);
    } else {
      add_entries(model.narrow);
    }
  } else if (model.row_bytes == 1) {
    add_rows_of(model.rows.get());
  } else if (model.row_bytes == 2) {
    add_rows_of(reinterpret_cast<const std::int16_t*>(model.rows.get()));
  } else {
    add_rows_of(reinterpret_cast<const std::int32_t*>(model.rows.get()));
  }
  for (std::size_t k = 0; k < model.padded; ++k) fields[k] = static_cast<F>(sums[k] / 2 + own[k]);
}

void refresh(const CachedModel& model, CachedReplica& replica) {
  (model.wide ? refresh_fields<std::int32_t> : refresh_fields<std::int16_t>)(model, replica);
}

const char* cached_target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace chainmail {
namespace {

HWY_EXPORT(sweep_cached);
HWY_EXPORT(descend_cached);
HWY_EXPORT(energy_sum);
HWY_EXPORT(refresh);
HWY_EXPORT(cached_target);

constexpr std::size_t kCachedLanes = 32;  // replicas of a block

class CachedBlock final : public Block {
 public:
  CachedBlock(const CachedModel& model, std::size_t first_replica, std::size_t lanes)
      : model_(model) {
    state_.first_replica = first_replica;
    state_.replicas.resize(lanes);
    for (CachedReplica& replica : state_.replicas) {
      replica.spins.assign(model.padded / kChunk, ~std::uint64_t{0});
      allocate(replica);
    }
    // All up: the fields are the same everywhere.
    HWY_DYNAMIC_DISPATCH(refresh)(model_, state_.replicas.front());
    for (CachedReplica& replica : state_.replicas) {
      std::memcpy(replica.fields.get(), state_.replicas.front().fields.get(), field_bytes());
    }
    allocate(scratch_);
  }

  void write(std::size_t lane, std::span<const Spin> spins) override {
    CachedReplica& replica = state_.replicas[lane];
    for (std::size_t i = 0; i < spins.size(); ++i) {
      const std::size_t slot = model_.slot_of[i];
      std::uint64_t& word = replica.spins[slot / kChunk];
      const std::uint64_t bit = std::uint64_t{1} << slot % kChunk;
      word = spins[i] > 0 ? word | bit : word & ~bit;
    }
    HWY_DYNAMIC_DISPATCH(refresh)(model_, replica);
  }
  std::vector<Spin> read(std::size_t lane) const override {
    return spins_of(state_.replicas[lane]);
  }

  void begin(std::span<const Parameters> parameters, const NoiseKey& key) override {
    state_.key = key;
    for (std::size_t lane = 0; lane < parameters.size(); ++lane) {
      state_.replicas[lane].scale = cached_scale(model_, parameters[lane].beta);
    }
  }
  void sweep(std::uint64_t first, std::uint64_t count) override {
    HWY_DYNAMIC_DISPATCH(sweep_cached)(model_, state_, first, count);
  }
  void energies(std::span<double> f, std::span<double> g) override {
    for (std::size_t lane = 0; lane < f.size(); ++lane) f[lane] = energy_of(state_.replicas[lane]);
    std::fill(g.begin(), g.end(), model_.g_offset);
  }
  std::optional<Descent> descend(std::size_t lane) override {
    const CachedReplica& from = state_.replicas[lane];
    std::memcpy(scratch_.fields.get(), from.fields.get(), field_bytes());
    scratch_.spins = from.spins;
    HWY_DYNAMIC_DISPATCH(descend_cached)(model_, scratch_);
    return Descent{spins_of(scratch_), energy_of(scratch_)};
  }

 private:
  std::size_t field_bytes() const { return model_.padded * (model_.wide ? 4 : 2); }
  void allocate(CachedReplica& replica) const {
    replica.fields = hwy::AllocateAligned<std::int8_t>(field_bytes());
  }
  double energy_of(const CachedReplica& replica) const {
    const std::int64_t sum = HWY_DYNAMIC_DISPATCH(energy_sum)(model_, replica);
    return model_.offset - 0.5 * model_.step * static_cast<double>(sum);
  }
  std::vector<Spin> spins_of(const CachedReplica& replica) const {
    std::vector<Spin> spins(model_.pbits);
    for (std::size_t i = 0; i < spins.size(); ++i) {
      const std::size_t slot = model_.slot_of[i];
      spins[i] = (replica.spins[slot / kChunk] >> slot % kChunk & 1U) != 0 ? Spin{1} : Spin{-1};
    }
    return spins;
  }

  const CachedModel& model_;
  CachedState state_;
  CachedReplica scratch_;
};

class CachedPath final : public Path {
 public:
  explicit CachedPath(CachedModel model) : model_(std::move(model)) {}

  std::string describe() const override {
    const std::string kind = std::string(model_.wide ? "int32" : "int16") + " fields cached, " +
                             (model_.dense() ? "dense" : "sparse");
    if (model_.exact) return kind + " (exact couplings)";
    char text[64];
    std::snprintf(text, sizeof text, " (couplings rounded by at most %.2g)", model_.coupling_error);
    return kind + text;
  }
  std::string target() const override { return HWY_DYNAMIC_DISPATCH(cached_target)(); }
  Parameters quantise(const Parameters& wanted) const override {
    return {beta_of(model_, cached_scale(model_, wanted.beta)), wanted.beta_penalty};
  }
  double ns_per_update() const override { return 4.0; }
  std::size_t block_lanes() const override { return kCachedLanes; }
  std::size_t least_block_lanes() const override { return 1; }
  std::size_t blocks_per_thread() const override { return 4; }  // hot replicas flip most
  std::unique_ptr<Block> make_block(std::size_t first_replica, std::size_t lanes) const override {
    return std::make_unique<CachedBlock>(model_, first_replica, lanes);
  }

 private:
  CachedModel model_;
};

}  // namespace

std::unique_ptr<Path> make_cached_path(CachedModel model) {
  return std::make_unique<CachedPath>(std::move(model));
}

}  // namespace chainmail
#endif  // HWY_ONCE
