// The spins of four p-bits lie in one byte per replica. A byte shuffle looks such nibbles up in a
// 16-entry table of the sums ±J±J±J±J for all lanes at once; low and high parts of the sums are
// added in bytes, a chunk of groups at a time, then widened to 16 bits. With thresholds made of
// integer logistic noise a spin is up exactly when I > T, and beta costs one multiply on
// the noise. Everything is integer, so every instruction set gives the same bits.
#include "device/cpu/table_path.hpp"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstdio>

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
  std::size_t stride = 0;                             // lanes rounded up to 16, 32 or 64
  hwy::AlignedFreeUniquePtr<std::uint8_t[]> nibbles;  // [quad][lane]
  NoiseKey key{};
  LaneScales scales{};
};

}  // namespace chainmail
#endif

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

// A block of kStride lanes in as few vectors as the target allows.
template <std::size_t kStride>
struct Shape {
  using D8 = hn::CappedTag<std::uint8_t, kStride>;
  using D16 = hn::Repartition<std::int16_t, D8>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D8());
  static constexpr std::size_t kVectors = kStride / kLanes;
};

template <std::size_t kStride>
struct Sums {
  hn::Vec<typename Shape<kStride>::D16> even[Shape<kStride>::kVectors];
  hn::Vec<typename Shape<kStride>::D16> odd[Shape<kStride>::kVectors];
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

// constant + the tables of p-bit `pbit`, for all lanes.
template <bool kWide, std::size_t kStride>
HWY_INLINE Sums<kStride> sum_tables(const RowsView rows, std::size_t pbit,
                                    const std::uint8_t* HWY_RESTRICT nibbles) {
  using S = Shape<kStride>;
  const typename S::D8 d8;
  const typename S::D16 d16;
  Sums<kStride> sums;
  const auto start = rows.constant != nullptr ? hn::Set(d16, rows.constant[pbit]) : hn::Zero(d16);
  for (std::size_t v = 0; v < S::kVectors; ++v) sums.even[v] = sums.odd[v] = start;
  constexpr std::size_t kTable = kWide ? 32 : 16;
  const std::size_t last = rows.first_chunk[pbit + 1];
  std::size_t group = rows.first_group[rows.first_chunk[pbit]];
  const std::uint8_t* table = rows.table + group * kTable;
  for (std::size_t chunk = rows.first_chunk[pbit]; chunk < last; ++chunk) {
    hn::Vec<typename S::D8> low[S::kVectors], high[S::kVectors];
    for (std::size_t v = 0; v < S::kVectors; ++v) low[v] = high[v] = hn::Zero(d8);
    for (const std::size_t end = rows.first_group[chunk + 1]; group < end;
         ++group, table += kTable) {
      const std::uint8_t* from = nibbles + rows.quad[group] * kStride;
      const auto low_table = hn::LoadDup128(d8, table);
      const auto high_table = hn::LoadDup128(d8, table + kTable - 16);
      for (std::size_t v = 0; v < S::kVectors; ++v) {
        const auto index = hn::Load(d8, from + v * S::kLanes);
        low[v] = hn::Add(low[v], hn::TableLookupBytes(low_table, index));
        if (kWide) high[v] = hn::Add(high[v], hn::TableLookupBytes(high_table, index));
      }
    }
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      const auto l = hn::BitCast(d16, low[v]);
      sums.even[v] = hn::Add(sums.even[v], hn::ShiftRight<8>(hn::ShiftLeft<8>(l)));
      sums.odd[v] = hn::Add(sums.odd[v], hn::ShiftRight<8>(l));
      if (!kWide) continue;
      const auto h = hn::BitCast(d16, high[v]);
      const auto top = hn::Set(d16, static_cast<std::int16_t>(-256));
      sums.even[v] = hn::Add(sums.even[v], hn::ShiftRight<4>(hn::ShiftLeft<8>(h)));
      sums.odd[v] = hn::Add(sums.odd[v], hn::ShiftRight<4>(hn::And(h, top)));
    }
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
      const std::int16_t* p = penalty + v * S::kLanes;
      sums.even[v] = hn::Add(sums.even[v], hn::Mul(hn::Load(d16, p), extra.even[v]));
      sums.odd[v] = hn::Add(sums.odd[v], hn::Mul(hn::Load(d16, p + S::kLanes / 2), extra.odd[v]));
    }
  }
  const auto bit = hn::LoadDup128(d8, kBitMasks[place % 4]);
  const auto low_bytes = hn::Set(d16, std::int16_t{0x00ff});
  for (std::size_t v = 0; v < S::kVectors; ++v) {
    const std::int16_t* t = thresholds + v * S::kLanes;
    const auto even = hn::VecFromMask(d16, hn::Gt(sums.even[v], hn::Load(d16, t)));
    const auto odd = hn::VecFromMask(d16, hn::Gt(sums.odd[v], hn::Load(d16, t + S::kLanes / 2)));
    const auto up = hn::BitCast(d8, select_bits(low_bytes, even, odd));
    std::uint8_t* to = nibbles + place / 4 * kStride + v * S::kLanes;
    hn::Store(select_bits(bit, up, hn::Load(d8, to)), d8, to);
  }
}

template <bool kWide, bool kWideG, bool kHasG, std::size_t kStride>
void sweep_kind(const TableModel& model, TableState& state, std::uint64_t first,
                std::uint64_t count) {
  const typename Shape<kStride>::D8 d8;
  HWY_ALIGN std::int16_t thresholds[kBatch * kStride];
  const RowsView f(model.f), g(model.g);
  const std::uint32_t* place = model.quads.place.data();
  const std::int16_t* penalty = state.scales.penalty;
  std::uint8_t* nibbles = state.nibbles.get();
  const std::size_t pbits = model.pbits;
  for (std::uint64_t sweep = first; sweep < first + count; ++sweep) {
    for (std::size_t begin = 0; begin < pbits; begin += kBatch) {
      const std::size_t rows = std::min(kBatch, pbits - begin);
      const std::uint64_t row = sweep * pbits + begin;
      if (state.scales.hot) {
        threshold_rows<true>(d8, state.key, state.first_replica, kStride, row, rows, state.scales,
                             thresholds);
      } else {
        threshold_rows<false>(d8, state.key, state.first_replica, kStride, row, rows, state.scales,
                              thresholds);
      }
      for (std::size_t k = 0; k < rows; ++k) {
        update<kWide, kWideG, kHasG, kStride>(f, g, begin + k, place[begin + k], penalty,
                                              thresholds + k * kStride, nibbles);
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
  switch (state.stride) {
    case 16:
      return sweep_stride<16>(model, state, first, count);
    case 64:
      return sweep_stride<64>(model, state, first, count);
    default:
      return sweep_stride<128>(model, state, first, count);
  }
}

// Sum over p-bits of S_i (h_i + sum_{j<i} J_ij S_j), in steps, into totals[lane].
template <bool kWide, std::size_t kStride>
void add_up_kind(const TableModel& model, const TableRows& rows, const TableState& state,
                 std::int64_t* HWY_RESTRICT totals) {
  using S = Shape<kStride>;
  const typename S::D8 d8;
  const typename S::D16 d16;
  const hn::Repartition<std::int32_t, typename S::D8> d32;
  constexpr std::size_t kHalf = S::kLanes / 2;
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
        const auto down =
            hn::BitCast(d16, hn::VecFromMask(d8, hn::Eq(hn::And(nibble, bit), hn::Zero(d8))));
        const auto even_down = hn::ShiftRight<8>(hn::ShiftLeft<8>(down));
        const auto odd_down = hn::ShiftRight<8>(down);
        const auto even = hn::Sub(hn::Xor(sums.even[v], even_down), even_down);
        const auto odd = hn::Sub(hn::Xor(sums.odd[v], odd_down), odd_down);
        std::int32_t* to = partial + v * S::kLanes;
        const auto add = [&](hn::Vec<typename S::D16> x, std::int32_t* at) HWY_ATTR {
          const auto low = hn::PromoteTo(d32, hn::LowerHalf(x));
          const auto high = hn::PromoteTo(d32, hn::UpperHalf(hn::Half<typename S::D16>(), x));
          hn::Store(hn::Add(hn::Load(d32, at), low), d32, at);
          std::int32_t* next = at + hn::Lanes(d32);
          hn::Store(hn::Add(hn::Load(d32, next), high), d32, next);
        };
        add(even, to);
        add(odd, to + kHalf);
      }
    }
    for (std::size_t lane = 0; lane < kStride; ++lane) {
      totals[lane] += partial[slot_of(d16, lane)];
    }
    begin = end;
  }
}

void add_up_tables(const TableModel& model, const TableRows& rows, const TableState& state,
                   std::int64_t* totals) {
  switch (state.stride) {
    case 16:
      return (rows.wide ? add_up_kind<true, 16> : add_up_kind<false, 16>)(model, rows, state,
                                                                          totals);
    case 64:
      return (rows.wide ? add_up_kind<true, 64> : add_up_kind<false, 64>)(model, rows, state,
                                                                          totals);
    default:
      return (rows.wide ? add_up_kind<true, 128> : add_up_kind<false, 128>)(model, rows, state,
                                                                            totals);
  }
}

template <std::size_t kStride>
void set_scale(LaneScales& scales, std::size_t lane, const LaneScale& from) {
  const std::size_t slot = slot_of(typename Shape<kStride>::D16(), lane);
  scales.scale[slot] = from.scale;
  scales.factor[slot] = static_cast<std::int16_t>(1U << static_cast<unsigned>(from.shift));
  scales.most[slot] = static_cast<std::int16_t>(from.free ? -1 : 32767 >> from.shift);
  scales.least[slot] = static_cast<std::int16_t>(from.free ? 0 : -32768 >> from.shift);
  scales.penalty[slot] = from.penalty;
  scales.hot = scales.hot || from.shift > 0 || from.free;
}

void set_scale_of_table(TableState& state, std::size_t lane, const LaneScale& from) {
  switch (state.stride) {
    case 16:
      return set_scale<16>(state.scales, lane, from);
    case 64:
      return set_scale<64>(state.scales, lane, from);
    default:
      return set_scale<128>(state.scales, lane, from);
  }
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
HWY_EXPORT(set_scale_of_table);
HWY_EXPORT(table_target);

class TableBlock final : public Block {
 public:
  TableBlock(const TableModel& model, std::size_t first_replica, std::size_t lanes)
      : model_(model) {
    state_.first_replica = first_replica;
    state_.lanes = lanes;
    state_.stride = lanes <= 16 ? 16 : lanes <= 64 ? 64 : kTableLanes;
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
    state_.scales.hot = false;
    for (std::size_t lane = 0; lane < state_.stride; ++lane) {
      // Lanes beyond the last replica follow the first: no work of their own, no surprises.
      const Parameters& p = parameters[lane < parameters.size() ? lane : 0];
      HWY_DYNAMIC_DISPATCH(set_scale_of_table)(state_, lane, model_.scale_of(p));
    }
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
