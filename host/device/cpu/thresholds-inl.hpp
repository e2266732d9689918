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

// The lookups of integer_logistic() for a whole vector of lanes.
template <class D8>
struct LogisticLookup {
  using D16 = hn::Repartition<std::int16_t, D8>;
  using V8 = hn::Vec<D8>;
  using V16 = hn::Vec<D16>;
  V8 c0_low, c0_high, c1_low, c1_high, c2;

  explicit HWY_INLINE LogisticLookup(const LogisticTables& t)
      : c0_low(hn::LoadDup128(D8(), t.c0_low.data())),
        c0_high(hn::LoadDup128(D8(), t.c0_high.data())),
        c1_low(hn::LoadDup128(D8(), t.c1_low.data())),
        c1_high(hn::LoadDup128(D8(), t.c1_high.data())),
        c2(hn::LoadDup128(D8(), t.c2.data())) {}

  // One code per lane, in bytes.
  static HWY_INLINE V8 codes(V16 even, V16 odd) {
    const D16 d;
    const hn::RebindToUnsigned<D16> du;
    const auto minus_one = hn::Set(d, std::int16_t{-1});
    const auto factor = hn::Set(d, static_cast<std::int16_t>(kOctaveCode));
    const auto x = hn::Mul(hn::Xor(even, hn::Add(even, minus_one)), factor);
    const auto y = hn::Mul(hn::Xor(odd, hn::Add(odd, minus_one)), factor);
    const auto low = hn::ShiftRight<12>(hn::BitCast(du, x));
    const auto high = hn::ShiftRight<4>(hn::BitCast(du, y));
    return hn::BitCast(D8(), hn::OrAnd(low, high, hn::Set(du, std::uint16_t{0x0f00})));
  }

  // Bytes of the even and odd lanes as numbers 0..255.
  static HWY_INLINE EvenOdd<V16> widen(V8 bytes) {
    const hn::RebindToUnsigned<D16> du;
    const auto both = hn::BitCast(du, bytes);
    return {hn::BitCast(D16(), hn::And(both, hn::Set(du, std::uint16_t{0x00ff}))),
            hn::BitCast(D16(), hn::ShiftRight<8>(both))};
  }
  static HWY_INLINE EvenOdd<V16> widen(V8 low, V8 high) {
    const hn::RebindToUnsigned<D16> du;
    const auto l = hn::BitCast(du, low), h = hn::BitCast(du, high);
    const auto mask = hn::Set(du, std::uint16_t{0x00ff});
    return {hn::BitCast(D16(), hn::IfVecThenElse(mask, l, hn::ShiftLeft<8>(h))),
            hn::BitCast(D16(), hn::IfVecThenElse(mask, hn::ShiftRight<8>(l), h))};
  }

  static HWY_INLINE V16 horner(V16 y, V16 k0, V16 k1, V16 k2) {
    const auto cubic = hn::Set(D16(), kCubic);
    const auto two = hn::Add(k2, hn::MulFixedPoint15(y, cubic));
    const auto one = hn::Add(k1, hn::MulFixedPoint15(y, two));
    return hn::Add(k0, hn::MulFixedPoint15(y, one));
  }
  // ±(2 M + 1), the sign being the top bit of the octave word.
  static HWY_INLINE V16 odd_signed(V16 m, V16 octave) {
    const auto sign = hn::ShiftRight<15>(octave);
    return hn::Or(hn::Xor(hn::Add(m, m), sign), hn::Set(D16(), std::int16_t{1}));
  }

  HWY_INLINE EvenOdd<V16> operator()(V8 code, EvenOdd<V16> octave, EvenOdd<V16> place) const {
    const auto k0 = widen(hn::TableLookupBytes(c0_low, code), hn::TableLookupBytes(c0_high, code));
    const auto k1 = widen(hn::TableLookupBytes(c1_low, code), hn::TableLookupBytes(c1_high, code));
    const auto k2 = widen(hn::TableLookupBytes(c2, code));
    return {odd_signed(horner(place.even, k0.even, k1.even, k2.even), octave.even),
            odd_signed(horner(place.odd, k0.odd, k1.odd, k2.odd), octave.odd)};
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
  const Words<D8> d64;
  const RoundKeys<D8> keys(key);
  const LogisticTables& tables = logistic_tables();
  const LogisticLookup<D8> lookup(tables);
  const auto tail = hn::Set(d8, tables.tail_code);
  const auto next_row = hn::BitCast(d64, counters(d8, 0, 0, 1));
  const auto word0 = keys.key[0];
  const auto word1 = hn::Xor(word0, hn::BitCast(d8, counters(d8, 1, 0, 0)));
  const auto word2 = hn::Xor(word0, hn::BitCast(d8, counters(d8, 2, 0, 0)));
  const auto word3 = hn::Xor(word0, hn::BitCast(d8, counters(d8, 3, 0, 0)));
  for (std::size_t lane = 0; lane < stride; lane += hn::Lanes(d8)) {
    auto counter = counters(d8, (first_replica + lane) / 4, 4, first_row);
    for (std::size_t k = 0; k < rows; ++k, counter = hn::Add(counter, next_row)) {
      const EvenOdd<hn::Vec<decltype(d16)>> octave{
          hn::BitCast(d16, random_bits(d8, keys, word0, counter)),
          hn::BitCast(d16, random_bits(d8, keys, word1, counter))};
      const EvenOdd<hn::Vec<decltype(d16)>> place{
          hn::BitCast(d16, random_bits(d8, keys, word2, counter)),
          hn::BitCast(d16, random_bits(d8, keys, word3, counter))};
      const auto code = lookup.codes(octave.even, octave.odd);
      const auto noise = lookup(code, octave, place);
      std::int16_t* row = out + k * stride + lane;
      const std::size_t half = hn::Lanes(d16);
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
