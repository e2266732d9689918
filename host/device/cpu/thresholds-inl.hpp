// Rows of integer logistic thresholds, one number for each lane, in batches of p-bits. Included
// once per SIMD target. A block with fewer lanes than a vector makes several rows at once.
#if defined(CHAINMAIL_THRESHOLDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CHAINMAIL_THRESHOLDS_INL
#undef CHAINMAIL_THRESHOLDS_INL
#else
#define CHAINMAIL_THRESHOLDS_INL
#endif

#include "device/cpu/bytes-inl.hpp"
#include "device/cpu/integer_logistic.hpp"
#include "device/cpu/lane_scales.hpp"
#include "device/cpu/noise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

// Memory layout of the thresholds of kStride lanes (16, 32, 64 or 128). A full vector of draws
// covers kLanes lanes of one row or all lanes of kRows rows; it leaves its low half first.
template <std::size_t kStride>
struct NoiseShape {
  using D8 = hn::ScalableTag<std::uint8_t>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D8());
  static constexpr std::size_t kRows = kStride < kLanes ? kLanes / kStride : 1;
  static constexpr std::size_t kParts = kStride < kLanes ? kStride / 16 : 4;  // until a new row
  static constexpr std::size_t kHigh = kLanes / 2;  // from a low half to its high half

  // The low half of a row's thresholds.
  static HWY_INLINE std::size_t row(std::size_t k) {
    return k / kRows * (kRows * kStride) + k % kRows * (kStride / 2);
  }
};

// integer_logistic() for a whole vector of lanes. The constants are loaded, not built: compilers
// would rebuild them in the loop.
template <class D8>
struct VectorLogistic {
  using D16 = Shorts<D8>;
  using V8 = hn::Vec<D8>;
  using V16 = hn::Vec<D16>;
  V8 c0_low, c0_high, c1, c2, one;
  V16 c3, code_factor, all_ones;

  explicit HWY_INLINE VectorLogistic(const LogisticTables& t)
      : c0_low(hn::LoadDup128(D8(), t.c0_low.data())),
        c0_high(hn::LoadDup128(D8(), t.c0_high.data())),
        c1(hn::LoadDup128(D8(), t.c1.data())),
        c2(hn::LoadDup128(D8(), t.c2.data())),
        one(hn::LoadDup128(D8(), t.one.data())),
        c3(hn::LoadDup128(D16(), t.c3.data())),
        code_factor(hn::LoadDup128(D16(), t.code_factor.data())),
        all_ones(hn::LoadDup128(D16(), t.all_ones.data())) {}

  HWY_INLINE V16 code(V16 octave) const {
    const hn::RebindToUnsigned<D16> du;
    const auto ones = hn::Xor(octave, hn::Add(octave, all_ones));
    return hn::BitCast(D16(), hn::ShiftRight<12>(hn::BitCast(du, hn::Mul(ones, code_factor))));
  }
  HWY_INLINE V16 horner(V16 y, V16 k0, V16 k1, V16 k2) const {
    const auto two = hn::Add(k2, hn::MulFixedPoint15(y, c3));
    const auto one_up = hn::Add(k1, hn::MulFixedPoint15(y, two));
    return hn::Add(k0, hn::MulFixedPoint15(y, one_up));
  }

  // Sizes of the noise for octave codes, one in each byte.
  HWY_INLINE Halves<V16> operator()(V8 codes, Halves<V16> place) const {
    const D8 d8;
    const auto k0 =
        unpack(d8, hn::TableLookupBytes(c0_low, codes), hn::TableLookupBytes(c0_high, codes));
    const auto k1 = unpack(d8, hn::TableLookupBytes(c1, codes), one);
    const auto k2 = unpack(d8, hn::TableLookupBytes(c2, codes), hn::Zero(d8));
    return {horner(place.low, k0.low, k1.low, k2.low),
            horner(place.high, k0.high, k1.high, k2.high)};
  }
};

// The threshold t, or ~t where the octave word has its top bit set. kHot is false when no lane
// needs its factor.
template <bool kHot, class D16>
HWY_INLINE hn::Vec<D16> threshold(D16 d, hn::Vec<D16> size, hn::Vec<D16> octave,
                                  const LaneScales& lanes, std::size_t slot) {
  const hn::RebindToUnsigned<D16> du;
  const auto scale = hn::Load(du, lanes.scale + slot);
  const auto high = hn::MulHigh(hn::BitCast(du, size), scale);
  auto t = hn::BitCast(d, high);
  if (kHot) {
    const auto factor = hn::Load(du, lanes.factor + slot);
    const auto part = hn::MulHigh(hn::Mul(hn::BitCast(du, size), scale), factor);
    const auto sum = hn::BitCast(d, hn::Add(hn::Mul(high, factor), part));
    t = hn::IfThenElse(hn::Gt(t, hn::Load(d, lanes.most + slot)), hn::Set(d, std::int16_t{32767}),
                       sum);
  }
  return hn::Xor(t, hn::ShiftRight<15>(octave));
}

// Gives the lanes whose octave word ran out of bits their exact thresholds. `to` is where the
// vector's thresholds went, `slot` where its lanes stand in LaneScales.
template <class Shape, class V16>
HWY_NOINLINE void redraw_tails(Halves<V16> octave, Halves<V16> place, const NoiseKey& key,
                               std::uint64_t row, std::uint64_t replica, const LaneScales& lanes,
                               std::size_t slot, std::int16_t* to) {
  const hn::Repartition<std::uint16_t, typename Shape::D8> du;
  HWY_ALIGN std::uint16_t octaves[Shape::kLanes], places[Shape::kLanes];
  hn::Store(hn::BitCast(du, octave.low), du, octaves);
  hn::Store(hn::BitCast(du, octave.high), du, octaves + Shape::kHigh);
  hn::Store(hn::BitCast(du, place.low), du, places);
  hn::Store(hn::BitCast(du, place.high), du, places + Shape::kHigh);
  constexpr std::size_t kLanesOfRow = Shape::kLanes / Shape::kRows;
  for (std::size_t lane = 0; lane < Shape::kLanes; ++lane) {
    const std::size_t at = slot_of(Shape::kLanes, lane);
    if ((octaves[at] & 0x7fffU) != 0) continue;
    to[at] = tail_threshold(key, row + lane / kLanesOfRow, replica + lane % kLanesOfRow,
                            octaves[at], places[at], lanes, slot + at);
  }
}

// Fills the thresholds of rows first_row, first_row + 1, ... (at NoiseShape::row()), possibly a few
// more than `rows`. `first_replica` counts from a multiple of 16.
template <std::size_t kStride, bool kHot>
HWY_INLINE void threshold_rows(const NoiseKey& key, std::size_t first_replica,
                               std::uint64_t first_row, std::size_t rows, const LaneScales& lanes,
                               std::int16_t* HWY_RESTRICT out) {
  using Shape = NoiseShape<kStride>;
  const typename Shape::D8 d8;
  const Shorts<typename Shape::D8> d16;
  using V16 = hn::Vec<decltype(d16)>;
  const RoundKeys<typename Shape::D8> keys(key);
  const LogisticTables& tables = logistic_tables();
  const VectorLogistic<typename Shape::D8> logistic16(tables);
  const auto tail = hn::LoadDup128(d8, tables.tail_code.data());
  const auto next = counters<0>(d8, 0, Shape::kRows);
  for (std::size_t lane = 0; lane < kStride; lane += Shape::kLanes) {
    // 16 lanes take four counters: octave and place, low and high half.
    const std::uint64_t group = (first_replica + lane) / 4;
    const auto start = [&](std::uint64_t k) HWY_ATTR {
      return whitened(d8, keys, counters<4, Shape::kParts>(d8, group + k, first_row));
    };
    auto octave_low = start(0), octave_high = start(1), place_low = start(2), place_high = start(3);
    for (std::size_t k = 0; k < rows; k += Shape::kRows) {
      const Halves<V16> octave{hn::BitCast(d16, random_bits(d8, keys, octave_low)),
                               hn::BitCast(d16, random_bits(d8, keys, octave_high))};
      const Halves<V16> place{hn::BitCast(d16, random_bits(d8, keys, place_low)),
                              hn::BitCast(d16, random_bits(d8, keys, place_high))};
      octave_low = hn::Add(octave_low, next);
      octave_high = hn::Add(octave_high, next);
      place_low = hn::Add(place_low, next);
      place_high = hn::Add(place_high, next);
      const auto codes = pack(d8, logistic16.code(octave.low), logistic16.code(octave.high));
      const auto size = logistic16(codes, place);
      std::int16_t* to = out + Shape::row(k) + lane;
      hn::Store(threshold<kHot>(d16, size.low, octave.low, lanes, lane), d16, to);
      hn::Store(threshold<kHot>(d16, size.high, octave.high, lanes, lane + Shape::kHigh), d16,
                to + Shape::kHigh);
      if (HWY_UNLIKELY(!hn::AllFalse(d8, hn::Eq(codes, tail)))) {
        redraw_tails<Shape>(octave, place, key, first_row + k, first_replica + lane, lanes, lane,
                            to);
      }
    }
  }
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
