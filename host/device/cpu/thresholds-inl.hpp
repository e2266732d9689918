// Rows of integer logistic thresholds, one number for each lane, in batches of p-bits. Included
// once per SIMD target. Even and odd lanes go to separate 16-bit vectors: that is how the byte sums
// of the table path widen without shuffles.
#if defined(CHAINMAIL_THRESHOLDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CHAINMAIL_THRESHOLDS_INL
#undef CHAINMAIL_THRESHOLDS_INL
#else
#define CHAINMAIL_THRESHOLDS_INL
#endif

#include "device/cpu/integer_logistic.hpp"
#include "device/cpu/lane_scales.hpp"
#include "device/cpu/noise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

template <class V>
struct EvenOdd {
  V even, odd;
};

// Where a lane of a block stands among the 16-bit numbers of a row.
template <class D16>
HWY_INLINE std::size_t slot_of(D16 d, std::size_t lane) {
  const std::size_t half = hn::Lanes(d), whole = 2 * half;
  return lane / whole * whole + lane % 2 * half + lane % whole / 2;
}

// integer_logistic() for a whole vector of lanes. The constants are loaded, not built: compilers
// would rebuild them in the loop.
template <class D8>
struct VectorLogistic {
  using D16 = hn::Repartition<std::int16_t, D8>;
  using V8 = hn::Vec<D8>;
  using V16 = hn::Vec<D16>;
  V8 c0_low, c0_high, c1, c2;
  V16 c3, code_factor, all_ones, low_byte, odd_code, c1_base, one;

  explicit HWY_INLINE VectorLogistic(const LogisticTables& t)
      : c0_low(hn::LoadDup128(D8(), t.c0_low.data())),
        c0_high(hn::LoadDup128(D8(), t.c0_high.data())),
        c1(hn::LoadDup128(D8(), t.c1.data())),
        c2(hn::LoadDup128(D8(), t.c2.data())),
        c3(hn::LoadDup128(D16(), t.c3.data())),
        code_factor(hn::LoadDup128(D16(), t.code_factor.data())),
        all_ones(hn::LoadDup128(D16(), t.all_ones.data())),
        low_byte(hn::LoadDup128(D16(), t.low_byte.data())),
        odd_code(hn::LoadDup128(D16(), t.odd_code.data())),
        c1_base(hn::LoadDup128(D16(), t.c1_base.data())),
        one(hn::LoadDup128(D16(), t.one.data())) {}

  template <int kBits>
  static HWY_INLINE V16 shift_down(V16 v) {  // filling with zeros
    const hn::RebindToUnsigned<D16> du;
    return hn::BitCast(D16(), hn::ShiftRight<kBits>(hn::BitCast(du, v)));
  }

  // One code per lane, in bytes.
  HWY_INLINE V8 codes(V16 even, V16 odd) const {
    const auto x = hn::Mul(hn::Xor(even, hn::Add(even, all_ones)), code_factor);
    const auto y = hn::Mul(hn::Xor(odd, hn::Add(odd, all_ones)), code_factor);
    return hn::BitCast(D8(), hn::OrAnd(shift_down<12>(x), shift_down<4>(y), odd_code));
  }

  HWY_INLINE V16 horner(V16 y, V16 k0, V16 k1, V16 k2) const {
    const auto two = hn::Add(k2, hn::MulFixedPoint15(y, c3));
    const auto one_up = hn::Add(k1, hn::MulFixedPoint15(y, two));
    return hn::Add(k0, hn::MulFixedPoint15(y, one_up));
  }
  // ±(2 M + 1), the sign being the top bit of the octave word.
  HWY_INLINE V16 odd_signed(V16 m, V16 octave) const {
    return hn::Or(hn::Xor(hn::Add(m, m), hn::ShiftRight<15>(octave)), one);
  }

  HWY_INLINE EvenOdd<V16> operator()(V8 code, EvenOdd<V16> octave, EvenOdd<V16> place) const {
    const auto low = hn::BitCast(D16(), hn::TableLookupBytes(c0_low, code));
    const auto high = hn::BitCast(D16(), hn::TableLookupBytes(c0_high, code));
    const auto k1 = hn::BitCast(D16(), hn::TableLookupBytes(c1, code));
    const auto k2 = hn::BitCast(D16(), hn::TableLookupBytes(c2, code));
    const auto even = horner(place.even, select_bits(low_byte, low, hn::ShiftLeft<8>(high)),
                             hn::OrAnd(c1_base, k1, low_byte), hn::And(k2, low_byte));
    const auto odd = horner(place.odd, select_bits(low_byte, shift_down<8>(low), high),
                            hn::Or(c1_base, shift_down<8>(k1)), shift_down<8>(k2));
    return {odd_signed(even, octave.even), odd_signed(odd, octave.odd)};
  }
};

// floor(L * scale * 2^shift / 2^16), saturated; kHot is false when no lane needs its shift.
template <bool kHot, class D16>
HWY_INLINE hn::Vec<D16> threshold(D16 d, hn::Vec<D16> noise, const LaneScales& lanes,
                                  std::size_t slot) {
  const hn::RebindToUnsigned<D16> du;
  const auto scale = hn::Load(d, lanes.scale + slot);
  const auto high = hn::MulHigh(noise, scale);
  if (!kHot) return high;
  const auto factor = hn::Load(d, lanes.factor + slot);
  const auto low = hn::BitCast(du, hn::Mul(noise, scale));
  const auto part = hn::MulHigh(low, hn::BitCast(du, factor));
  const auto sum = hn::Add(hn::Mul(high, factor), hn::BitCast(d, part));
  const auto capped = hn::IfThenElse(hn::Gt(high, hn::Load(d, lanes.most + slot)),
                                     hn::Set(d, std::int16_t{32767}), sum);
  return hn::IfThenElse(hn::Lt(high, hn::Load(d, lanes.least + slot)),
                        hn::Set(d, std::int16_t{-32768}), capped);
}

// Gives the lanes whose octave word ran out of bits their exact thresholds.
template <class D8, class V16>
HWY_NOINLINE void redraw_tails(D8 d8, EvenOdd<V16> octave, EvenOdd<V16> place, const NoiseKey& key,
                               std::uint64_t row_number, std::size_t first_replica,
                               std::size_t lane, const LaneScales& lanes, std::int16_t* row) {
  const hn::Repartition<std::uint16_t, D8> du;
  HWY_ALIGN std::uint16_t octaves[2][hn::MaxLanes(du)], places[2][hn::MaxLanes(du)];
  hn::Store(hn::BitCast(du, octave.even), du, octaves[0]);
  hn::Store(hn::BitCast(du, octave.odd), du, octaves[1]);
  hn::Store(hn::BitCast(du, place.even), du, places[0]);
  hn::Store(hn::BitCast(du, place.odd), du, places[1]);
  for (std::size_t l = 0; l < hn::Lanes(d8); ++l) {
    const std::uint16_t word = octaves[l % 2][l / 2];
    if ((word & 0x7fffU) != 0) continue;
    const std::size_t slot = slot_of(du, lane + l);
    row[slot] = tail_threshold(key, row_number, first_replica + lane + l, word,
                               places[l % 2][l / 2], lanes, slot);
  }
}

// Fills rows[k][slot] for the counters first_row + k. `first_replica` counts from a multiple of 16.
template <bool kHot, class D8>
HWY_INLINE void threshold_rows(D8 d8, const NoiseKey& key, std::size_t first_replica,
                               std::size_t stride, std::uint64_t first_row, std::size_t rows,
                               const LaneScales& lanes, std::int16_t* HWY_RESTRICT out) {
  const hn::Repartition<std::int16_t, D8> d16;
  using V16 = hn::Vec<decltype(d16)>;
  const RoundKeys<D8> keys(key);
  const LogisticTables& tables = logistic_tables();
  const VectorLogistic<D8> logistic16(tables);
  const auto tail = hn::LoadDup128(d8, tables.tail_code.data());
  const auto next_row = counters<0>(d8, 0, 1);
  const std::size_t half = hn::Lanes(d16);
  for (std::size_t lane = 0; lane < stride; lane += hn::Lanes(d8)) {
    // 16 lanes take four counters: octave and place, even and odd lanes.
    const std::uint64_t group = (first_replica + lane) / 4;
    auto octave_even = whitened(d8, keys, counters<4>(d8, group, first_row));
    auto octave_odd = whitened(d8, keys, counters<4>(d8, group + 1, first_row));
    auto place_even = whitened(d8, keys, counters<4>(d8, group + 2, first_row));
    auto place_odd = whitened(d8, keys, counters<4>(d8, group + 3, first_row));
    for (std::size_t k = 0; k < rows; ++k) {
      const EvenOdd<V16> octave{hn::BitCast(d16, random_bits(d8, keys, octave_even)),
                                hn::BitCast(d16, random_bits(d8, keys, octave_odd))};
      const EvenOdd<V16> place{hn::BitCast(d16, random_bits(d8, keys, place_even)),
                               hn::BitCast(d16, random_bits(d8, keys, place_odd))};
      octave_even = hn::Add(octave_even, next_row);
      octave_odd = hn::Add(octave_odd, next_row);
      place_even = hn::Add(place_even, next_row);
      place_odd = hn::Add(place_odd, next_row);
      const auto code = logistic16.codes(octave.even, octave.odd);
      const auto noise = logistic16(code, octave, place);
      std::int16_t* row = out + k * stride + lane;
      hn::Store(threshold<kHot>(d16, noise.even, lanes, lane), d16, row);
      hn::Store(threshold<kHot>(d16, noise.odd, lanes, lane + half), d16, row + half);
      if (HWY_UNLIKELY(!hn::AllFalse(d8, hn::Eq(code, tail)))) {
        redraw_tails(d8, octave, place, key, first_row + k, first_replica, lane, lanes, row - lane);
      }
    }
  }
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
