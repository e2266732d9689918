// Thresholds of consecutive p-bits of one replica, a chunk at a time. Included once per SIMD
// target. The noise of a p-bit is a function of (key, replica, sweep, slot), whatever the vectors.
#if defined(CHAINMAIL_REPLICA_THRESHOLDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CHAINMAIL_REPLICA_THRESHOLDS_INL
#undef CHAINMAIL_REPLICA_THRESHOLDS_INL
#else
#define CHAINMAIL_REPLICA_THRESHOLDS_INL
#endif

#include <algorithm>
#include <limits>

#include "device/cpu/cached_model.hpp"
#include "device/cpu/thresholds-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

// The threshold of one p-bit in wide integers: for noise whose octave word ran out of bits.
template <class F>
inline F exact_threshold(const Logistic& noise, const CachedScale& scale) {
  constexpr std::int64_t kMost = std::numeric_limits<F>::max();
  std::int64_t size = kMost;
  if (!scale.free) {
    const std::int64_t product = noise.size * scale.scale;
    const int right = 16 - scale.shift;
    if (right >= 0) {
      size = right > 62 ? 0 : product >> right;
    } else if (product <= kMost >> -right) {
      size = product << -right;
    }
    size = std::min(size, kMost);
  }
  return static_cast<F>(noise.negative ? ~size : size);
}

template <class F>
class ReplicaThresholds {
 public:
  using D8 = hn::ScalableTag<std::uint8_t>;
  using D16 = Shorts<D8>;
  using V16 = hn::Vec<D16>;

  explicit HWY_INLINE ReplicaThresholds(const NoiseKey& key)
      : key_(key),
        keys_(key),
        logistic_(logistic_tables()),
        tail_(hn::LoadDup128(D8(), logistic_tables().tail_code.data())) {}

  // kChunk thresholds for the slots from `first` on.
  HWY_INLINE void fill(std::uint64_t replica, std::uint64_t sweep, std::size_t first,
                       const CachedScale& scale, F* HWY_RESTRICT out) const {
    const D8 d8;
    const D16 d16;
    constexpr std::size_t kLanes = hn::MaxLanes(D16());
    const std::uint64_t high = (replica << 32U) + sweep;
    for (std::size_t s = 0; s < kChunk; s += 2 * kLanes) {
      // Eight slots take two counters: octave and place.
      const std::uint64_t low = (first + s) / 4;
      const auto draw = [&](std::uint64_t at) HWY_ATTR {
        const auto counter = whitened(d8, keys_, counters<2>(d8, at, high));
        return hn::BitCast(d16, random_bits(d8, keys_, counter));
      };
      const Halves<V16> octave{draw(low), draw(low + kLanes / 4)};
      const Halves<V16> place{draw(low + 1), draw(low + kLanes / 4 + 1)};
      const auto codes = pack(d8, logistic_.code(octave.low), logistic_.code(octave.high));
      const auto size = logistic_(codes, place);
      scaled(size.low, octave.low, scale, out + s);
      scaled(size.high, octave.high, scale, out + s + kLanes);
      if (HWY_UNLIKELY(!hn::AllFalse(d8, hn::Eq(codes, tail_)))) {
        redraw(octave, place, replica, sweep, first + s, scale, out + s);
      }
    }
  }

 private:
  static HWY_INLINE void scaled(V16 size, V16 octave, const CachedScale& scale,
                                std::int16_t* HWY_RESTRICT out) {
    const D16 d;
    const hn::RebindToUnsigned<D16> du;
    const auto factor = hn::Set(du, scale.scale);
    auto t = hn::BitCast(d, hn::MulHigh(hn::BitCast(du, size), factor));
    if (HWY_UNLIKELY(scale.shift > 0)) {
      const auto power =
          hn::Set(du, static_cast<std::uint16_t>(1U << static_cast<unsigned>(scale.shift)));
      const auto low = hn::MulHigh(hn::Mul(hn::BitCast(du, size), factor), power);
      const auto sum = hn::BitCast(d, hn::Add(hn::Mul(hn::BitCast(du, t), power), low));
      const auto most =
          hn::Set(d, static_cast<std::int16_t>(scale.free ? -1 : 32767 >> scale.shift));
      t = hn::IfThenElse(hn::Gt(t, most), hn::Set(d, std::int16_t{32767}), sum);
    }
    hn::Store(hn::Xor(t, hn::ShiftRight<15>(octave)), d, out);
  }
  static HWY_INLINE void scaled(V16 size, V16 octave, const CachedScale& scale,
                                std::int32_t* HWY_RESTRICT out) {
    const hn::Half<D16> half;
    const hn::Repartition<std::int32_t, D8> d32;
    const auto sign = hn::ShiftRight<15>(octave);
    const auto widened = [&](auto part, auto minus, std::int32_t* to) HWY_ATTR {
      auto t = hn::Mul(hn::PromoteTo(d32, part), hn::Set(d32, std::int32_t{scale.scale}));
      const int right = 16 - scale.shift;
      if (scale.free) {
        t = hn::Set(d32, std::numeric_limits<std::int32_t>::max());
      } else if (right >= 0) {
        t = hn::ShiftRightSame(t, std::min(right, 31));
      } else {
        const auto most = hn::Set(d32, std::numeric_limits<std::int32_t>::max() >> -right);
        t = hn::IfThenElse(hn::Gt(t, most), hn::Set(d32, std::numeric_limits<std::int32_t>::max()),
                           hn::ShiftLeftSame(t, -right));
      }
      hn::Store(hn::Xor(t, hn::PromoteTo(d32, minus)), d32, to);
    };
    widened(hn::LowerHalf(half, size), hn::LowerHalf(half, sign), out);
    widened(hn::UpperHalf(half, size), hn::UpperHalf(half, sign), out + hn::MaxLanes(d32));
  }

  HWY_NOINLINE void redraw(Halves<V16> octave, Halves<V16> place, std::uint64_t replica,
                           std::uint64_t sweep, std::size_t first, const CachedScale& scale,
                           F* out) const {
    const hn::Repartition<std::uint16_t, D8> du;
    constexpr std::size_t kLanes = hn::MaxLanes(D16());
    HWY_ALIGN std::uint16_t octaves[2 * kLanes], places[2 * kLanes];
    hn::Store(hn::BitCast(du, octave.low), du, octaves);
    hn::Store(hn::BitCast(du, octave.high), du, octaves + kLanes);
    hn::Store(hn::BitCast(du, place.low), du, places);
    hn::Store(hn::BitCast(du, place.high), du, places + kLanes);
    for (std::size_t k = 0; k < 2 * kLanes; ++k) {
      if ((octaves[k] & 0x7fffU) != 0) continue;
      const std::uint64_t more = hash_of(key_.words[0], {key_.words[1], sweep, replica, first + k});
      out[k] = exact_threshold<F>(integer_logistic(octaves[k], places[k], more), scale);
    }
  }

  const NoiseKey& key_;
  RoundKeys<D8> keys_;
  VectorLogistic<D8> logistic_;
  hn::Vec<D8> tail_;
};

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
