// The spins of four p-bits lie in one byte per replica. A byte shuffle looks such nibbles up in a
// 16-entry table of the sums ±J±J±J±J for all lanes at once; low and high parts of the sums are
// added in bytes, a chunk of groups at a time, then widened to 16 bits. With thresholds made of
// integer logistic noise a spin is up exactly when I > T, and beta costs one multiply on
// the noise. Everything is integer, so every instruction set gives the same bits.
#include "device/cpu/table_path.hpp"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <type_traits>

#include "device/cpu/lane_scales.hpp"
#include "device/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/table_path.cpp"  // NOLINT: Highway's way to recompile
#include <hwy/foreach_target.h>                         // IWYU pragma: keep

#include <hwy/highway.h>

#include "device/cpu/thresholds-inl.hpp"

#ifndef CHAINMAIL_TABLE_PATH_TYPES
#define CHAINMAIL_TABLE_PATH_TYPES
namespace chainmail {

constexpr std::size_t kBatch = 32;  // p-bits whose thresholds are made together; fits in L1

alignas(16) constexpr std::uint8_t kBitMasks[4][16] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
    {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
    {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}};

struct TableState {
  std::size_t first_replica = 0, lanes = 0;
  std::size_t stride = 0;                             // lanes rounded up to 16, 32, 64 or 128
  hwy::AlignedFreeUniquePtr<std::uint8_t[]> nibbles;  // [quad][lane]
  NoiseKey key{};
  LaneScales scales{};
};

// Calls run(the stride as a compile-time constant).
template <class Run>
void with_stride(std::size_t stride, const Run& run) {
  switch (stride) {
    case 16:
      return run(std::integral_constant<std::size_t, 16>());
    case 32:
      return run(std::integral_constant<std::size_t, 32>());
    case 64:
      return run(std::integral_constant<std::size_t, 64>());
    default:
      return run(std::integral_constant<std::size_t, kTableLanes>());
  }
}

}  // namespace chainmail
#endif

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

// A block of kStride lanes in as few vectors as possible.
template <std::size_t kStride>
struct Shape {
  using D8 = hn::CappedTag<std::uint8_t, kStride>;
  using D16 = Shorts<D8>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D8());
  static constexpr std::size_t kVectors = kStride / kLanes;
};

template <std::size_t kStride>
struct Sums {
  Halves<hn::Vec<typename Shape<kStride>::D16>> of[Shape<kStride>::kVectors];
};

// Bare pointers into TableRows: the byte stores of the kernels could alias anything in memory, so
// what the loops read is kept in locals.
struct RowsView {
  explicit RowsView(const TableRows& rows)
      : first_chunk(rows.first_chunk.data()),
        first_group(rows.first_group.data()),
        quad(rows.quad.data()),
        table(rows.table.data()),
        constant(rows.has_constants ? rows.constant.data() : nullptr) {}
  const std::uint32_t* first_chunk;
  const std::uint32_t* first_group;
  const std::uint32_t* quad;
  const std::uint8_t* table;
  const std::int16_t* constant;
};

// The tables of the groups begin ... end - 1, looked up in all lanes and added.
template <bool kWide, std::size_t kStride>
HWY_INLINE Sums<kStride> sum_chunk(const RowsView rows, std::size_t begin, std::size_t end,
                                   const std::uint8_t* HWY_RESTRICT nibbles) {
  using S = Shape<kStride>;
  const typename S::D8 d8;
  constexpr std::size_t kTable = kWide ? 32 : 16;
  hn::Vec<typename S::D8> low[S::kVectors], high[S::kVectors];
  const std::uint8_t* table = rows.table + begin * kTable;
  const auto look_up = [&](std::size_t group, bool first) HWY_ATTR {
    const std::uint8_t* from = nibbles + rows.quad[group] * kStride;
    const auto low_table = hn::LoadDup128(d8, table);
    const auto high_table = hn::LoadDup128(d8, table + kTable - 16);
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      const auto index = hn::Load(d8, from + v * S::kLanes);
      const auto l = hn::TableLookupBytes(low_table, index);
      low[v] = first ? l : hn::Add(low[v], l);
      if (!kWide) continue;
      const auto h = hn::TableLookupBytes(high_table, index);
      high[v] = first ? h : hn::Add(high[v], h);
    }
    table += kTable;
  };
  look_up(begin, true);
  for (std::size_t group = begin + 1; group < end; ++group) look_up(group, false);
  Sums<kStride> sums;
  const typename S::D16 d16;
  for (std::size_t v = 0; v < S::kVectors; ++v) {
    const auto pairs = unpack(d8, low[v], kWide ? high[v] : hn::Zero(d8));
    sums.of[v] = {weigh(d16, pairs.low), weigh(d16, pairs.high)};
  }
  return sums;
}

// constant + the tables of p-bit `pbit`, for all lanes.
template <bool kWide, std::size_t kStride>
HWY_INLINE Sums<kStride> sum_tables(const RowsView rows, std::size_t pbit,
                                    const std::uint8_t* HWY_RESTRICT nibbles) {
  using S = Shape<kStride>;
  const typename S::D16 d16;
  const std::size_t last = rows.first_chunk[pbit + 1];
  std::size_t chunk = rows.first_chunk[pbit];
  auto sums = sum_chunk<kWide, kStride>(rows, rows.first_group[chunk], rows.first_group[chunk + 1],
                                        nibbles);
  const auto add = [&](std::size_t v, auto low, auto high) HWY_ATTR {
    sums.of[v] = {hn::Add(sums.of[v].low, low), hn::Add(sums.of[v].high, high)};
  };
  while (HWY_UNLIKELY(++chunk < last)) {
    const auto more = sum_chunk<kWide, kStride>(rows, rows.first_group[chunk],
                                                rows.first_group[chunk + 1], nibbles);
    for (std::size_t v = 0; v < S::kVectors; ++v) add(v, more.of[v].low, more.of[v].high);
  }
  if (rows.constant != nullptr) {
    const auto constant = hn::Set(d16, rows.constant[pbit]);
    for (std::size_t v = 0; v < S::kVectors; ++v) add(v, constant, constant);
  }
  return sums;
}

// One p-bit in all lanes: up where field + P * constraint field > threshold.
template <bool kWide, bool kWideG, bool kHasG, std::size_t kStride>
HWY_INLINE void update(const RowsView f, const RowsView g, std::size_t pbit, std::uint32_t place,
                       const std::int16_t* HWY_RESTRICT penalty,
                       const std::int16_t* HWY_RESTRICT thresholds,
                       std::uint8_t* HWY_RESTRICT nibbles) {
  using S = Shape<kStride>;
  const typename S::D8 d8;
  const typename S::D16 d16;
  auto sums = sum_tables<kWide, kStride>(f, pbit, nibbles);
  if (kHasG) {
    const auto extra = sum_tables<kWideG, kStride>(g, pbit, nibbles);
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      const auto low = hn::Load(d16, penalty + v * S::kLanes);
      const auto high = hn::Load(d16, penalty + v * S::kLanes + S::kLanes / 2);
      sums.of[v] = {hn::Add(sums.of[v].low, hn::Mul(low, extra.of[v].low)),
                    hn::Add(sums.of[v].high, hn::Mul(high, extra.of[v].high))};
    }
  }
  const auto bit = hn::LoadDup128(d8, kBitMasks[place % 4]);
  const auto above = [&](auto sum, const std::int16_t* threshold) HWY_ATTR {
    return hn::VecFromMask(d16, hn::Gt(sum, hn::Load(d16, threshold)));
  };
  for (std::size_t v = 0; v < S::kVectors; ++v) {
    const std::int16_t* t = thresholds + v * S::kLanes;
    const auto up =
        pack(d8, above(sums.of[v].low, t), above(sums.of[v].high, t + NoiseShape<kStride>::kHigh));
    std::uint8_t* to = nibbles + place / 4 * kStride + v * S::kLanes;
    hn::Store(select_bits(bit, up, hn::Load(d8, to)), d8, to);
  }
}

template <bool kWide, bool kWideG, bool kHasG, std::size_t kStride>
void sweep_kind(const TableModel& model, TableState& state, std::uint64_t first,
                std::uint64_t count) {
  HWY_ALIGN std::int16_t thresholds[kBatch * kStride];
  const RowsView f(model.f), g(model.g);
  const std::uint32_t* place = model.quads.place.data();
  const std::int16_t* penalty = state.scales.penalty;
  std::uint8_t* nibbles = state.nibbles.get();
  const std::size_t pbits = model.pbits;
  for (std::uint64_t sweep = first; sweep < first + count; ++sweep) {
    for (std::size_t begin = 0; begin < pbits; begin += kBatch) {
      const std::size_t rows = std::min(kBatch, pbits - begin);
      (state.scales.hot ? threshold_rows<kStride, true>
                        : threshold_rows<kStride, false>)(state.key, state.first_replica,
                                                          sweep * pbits + begin, rows, state.scales,
                                                          thresholds);
      for (std::size_t k = 0; k < rows; ++k) {
        update<kWide, kWideG, kHasG, kStride>(f, g, begin + k, place[begin + k], penalty,
                                              thresholds + NoiseShape<kStride>::row(k), nibbles);
      }
    }
  }
}

template <std::size_t kStride>
void sweep_stride(const TableModel& model, TableState& state, std::uint64_t first,
                  std::uint64_t count) {
  if (!model.has_g) {
    (model.f.wide ? sweep_kind<true, false, false, kStride>
                  : sweep_kind<false, false, false, kStride>)(model, state, first, count);
  } else if (model.g.wide) {
    (model.f.wide ? sweep_kind<true, true, true, kStride>
                  : sweep_kind<false, true, true, kStride>)(model, state, first, count);
  } else {
    (model.f.wide ? sweep_kind<true, false, true, kStride>
                  : sweep_kind<false, false, true, kStride>)(model, state, first, count);
  }
}

void sweep_tables(const TableModel& model, TableState& state, std::uint64_t first,
                  std::uint64_t count) {
  with_stride(state.stride, [&](auto stride) {
    sweep_stride<decltype(stride)::value>(model, state, first, count);
  });
}

// Sum over p-bits of S_i (h_i + sum_{j<i} J_ij S_j), in steps, into totals[lane].
template <bool kWide, std::size_t kStride>
void add_up_kind(const TableModel& model, const TableRows& rows, const TableState& state,
                 std::int64_t* HWY_RESTRICT totals) {
  using S = Shape<kStride>;
  const typename S::D8 d8;
  const hn::Repartition<std::int32_t, typename S::D8> d32;
  HWY_ALIGN std::int32_t partial[kStride];
  const RowsView view(rows);
  for (std::size_t begin = 0; begin < model.pbits;) {
    // 2^15 sums of 16 bits fit in 32.
    const std::size_t end = std::min(model.pbits, begin + (std::size_t{1} << 15U));
    std::fill_n(partial, kStride, 0);
    for (std::size_t i = begin; i < end; ++i) {
      const auto sums = sum_tables<kWide, kStride>(view, i, state.nibbles.get());
      const std::uint32_t place = model.quads.place[i];
      const auto bit = hn::Set(d8, static_cast<std::uint8_t>(1U << place % 4));
      for (std::size_t v = 0; v < S::kVectors; ++v) {
        const auto nibble = hn::Load(d8, state.nibbles.get() + place / 4 * kStride + v * S::kLanes);
        const auto down = hn::VecFromMask(d8, hn::Eq(hn::And(nibble, bit), hn::Zero(d8)));
        const auto minus = unpack(d8, down, down);
        const auto add = [&](auto sum, auto flip, std::int32_t* at) HWY_ATTR {
          const auto x = hn::Sub(hn::Xor(sum, flip), flip);
          const auto low = hn::PromoteTo(d32, hn::LowerHalf(x));
          const auto high = hn::PromoteTo(d32, hn::UpperHalf(hn::Half<typename S::D16>(), x));
          hn::Store(hn::Add(hn::Load(d32, at), low), d32, at);
          std::int32_t* next = at + hn::Lanes(d32);
          hn::Store(hn::Add(hn::Load(d32, next), high), d32, next);
        };
        add(sums.of[v].low, minus.low, partial + v * S::kLanes);
        add(sums.of[v].high, minus.high, partial + v * S::kLanes + S::kLanes / 2);
      }
    }
    for (std::size_t lane = 0; lane < kStride; ++lane) {
      totals[lane] += partial[slot_of(S::kLanes, lane)];
    }
    begin = end;
  }
}

void add_up_tables(const TableModel& model, const TableRows& rows, const TableState& state,
                   std::int64_t* totals) {
  with_stride(state.stride, [&](auto stride) {
    constexpr std::size_t kStride = decltype(stride)::value;
    (rows.wide ? add_up_kind<true, kStride> : add_up_kind<false, kStride>)(model, rows, state,
                                                                           totals);
  });
}

// Copies the lanes' parameters to where the kernels read them.
template <std::size_t kStride>
void arrange_stride(const LaneScale* from, LaneScales& to) {
  using Noise = NoiseShape<kStride>;
  to.hot = false;
  for (std::size_t lane = 0; lane < kStride; ++lane) {
    to.penalty[slot_of(Shape<kStride>::kLanes, lane)] = from[lane].penalty;
    to.hot = to.hot || from[lane].shift > 0 || from[lane].free;
  }
  for (std::size_t lane = 0; lane < kStride * Noise::kRows; ++lane) {
    const LaneScale& l = from[lane % kStride];
    const std::size_t slot = slot_of(Noise::kLanes, lane);
    to.scale[slot] = l.scale;
    to.factor[slot] = static_cast<std::uint16_t>(1U << static_cast<unsigned>(l.shift));
    to.most[slot] = static_cast<std::int16_t>(l.free ? -1 : 32767 >> l.shift);
  }
}

void arrange(const LaneScale* from, TableState& state) {
  with_stride(state.stride,
              [&](auto stride) { arrange_stride<decltype(stride)::value>(from, state.scales); });
}

const char* table_target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace chainmail {
namespace {

HWY_EXPORT(sweep_tables);
HWY_EXPORT(add_up_tables);
HWY_EXPORT(arrange);
HWY_EXPORT(table_target);

class TableBlock final : public Block {
 public:
  TableBlock(const TableModel& model, std::size_t first_replica, std::size_t lanes)
      : model_(model) {
    state_.first_replica = first_replica;
    state_.lanes = lanes;
    state_.stride = std::max<std::size_t>(16, std::bit_ceil(lanes));
    const std::size_t bytes = model.quads.count * state_.stride;
    state_.nibbles = hwy::AllocateAligned<std::uint8_t>(bytes);
    std::fill_n(state_.nibbles.get(), bytes, std::uint8_t{15});
  }

  void write(std::size_t lane, std::span<const Spin> spins) override {
    for (std::size_t i = 0; i < spins.size(); ++i) {
      const std::uint32_t place = model_.quads.place[i];
      std::uint8_t& nibble = state_.nibbles[place / 4 * state_.stride + lane];
      const auto bit = static_cast<std::uint8_t>(1U << place % 4);
      nibble = static_cast<std::uint8_t>(spins[i] > 0 ? nibble | bit : nibble & ~bit);
    }
  }
  std::vector<Spin> read(std::size_t lane) const override {
    std::vector<Spin> spins(model_.pbits);
    for (std::size_t i = 0; i < spins.size(); ++i) {
      const std::uint32_t place = model_.quads.place[i];
      const unsigned nibble = state_.nibbles[place / 4 * state_.stride + lane];
      spins[i] = (nibble >> place % 4 & 1U) != 0 ? Spin{1} : Spin{-1};
    }
    return spins;
  }
  void begin(std::span<const Parameters> parameters, const NoiseKey& key) override {
    state_.key = key;
    std::array<LaneScale, kTableLanes> scales;
    for (std::size_t lane = 0; lane < state_.stride; ++lane) {
      // Lanes beyond the last replica copy the first, so they cannot overflow.
      scales[lane] = lane < parameters.size() ? model_.scale_of(parameters[lane]) : scales[0];
    }
    HWY_DYNAMIC_DISPATCH(arrange)(scales.data(), state_);
  }
  void sweep(std::uint64_t first, std::uint64_t count) override {
    HWY_DYNAMIC_DISPATCH(sweep_tables)(model_, state_, first, count);
  }
  void energies(std::span<double> f, std::span<double> g) override {
    const auto fill = [&](const TableRows& rows, double offset, double step,
                          std::span<double> out) {
      std::int64_t totals[kTableLanes] = {};
      HWY_DYNAMIC_DISPATCH(add_up_tables)(model_, rows, state_, totals);
      for (std::size_t l = 0; l < out.size(); ++l) {
        out[l] = offset - step * static_cast<double>(totals[l]);
      }
    };
    fill(model_.f_below, model_.f_offset, model_.step, f);
    if (model_.has_g) {
      fill(model_.g_below, model_.g_offset, model_.g_step, g);
    } else {
      std::fill(g.begin(), g.end(), model_.g_offset);
    }
  }

 private:
  const TableModel& model_;
  TableState state_;
};

class TablePath final : public Path {
 public:
  TablePath(TableModel model, double beta_max) : model_(std::move(model)), beta_max_(beta_max) {}

  std::string describe() const override {
    if (model_.exact) return "int8 path (exact couplings)";
    char text[160];
    std::snprintf(text, sizeof text,
                  "int8 path (couplings rounded by at most %.2g, log-odds by %.2g rms at the "
                  "coldest beta)",
                  model_.coupling_error, 2.0 * beta_max_ * model_.field_error);
    return text;
  }
  std::string target() const override { return HWY_DYNAMIC_DISPATCH(table_target)(); }
  Parameters quantise(const Parameters& wanted) const override {
    Parameters used = model_.parameters_of(model_.scale_of(wanted));
    if (!model_.has_g) used.beta_penalty = wanted.beta_penalty;  // it multiplies nothing
    return used;
  }
  std::size_t block_lanes() const override { return kTableLanes; }
  std::size_t least_block_lanes() const override { return 32; }
  std::unique_ptr<Block> make_block(std::size_t first_replica, std::size_t lanes) const override {
    return std::make_unique<TableBlock>(model_, first_replica, lanes);
  }

 private:
  TableModel model_;
  double beta_max_;
};

}  // namespace

std::unique_ptr<Path> make_table_path(TableModel model, double beta_max) {
  return std::make_unique<TablePath>(std::move(model), beta_max);
}

}  // namespace chainmail
#endif  // HWY_ONCE
