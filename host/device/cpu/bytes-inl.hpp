// Steps between bytes and 16-bit numbers for a block of lanes, one instruction each where the
// target has it. Included once per SIMD target. In every 16 lanes the first eight go to the low
// vector of 16-bit numbers and the last eight to the high one: the order in which x86 unpacks.
#if defined(CHAINMAIL_BYTES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CHAINMAIL_BYTES_INL
#undef CHAINMAIL_BYTES_INL
#else
#define CHAINMAIL_BYTES_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct Halves {
  V low, high;
};

template <class D>
using Shorts = hn::Repartition<std::int16_t, D>;

// Where a lane of a row is among its 16-bit numbers, in vectors of `lanes` bytes.
HWY_INLINE std::size_t slot_of(std::size_t lanes, std::size_t lane) {
  const std::size_t in = lane % lanes;
  return lane - in + in % 16 / 8 * (lanes / 2) + in / 16 * 8 + in % 8;
}

// 16-bit numbers whose low bytes are `low` and high bytes `high`.
template <class D8, class V8 = hn::Vec<D8>>
HWY_INLINE Halves<hn::Vec<Shorts<D8>>> unpack(D8 d8, V8 low, V8 high) {
  const Shorts<D8> d16;
  return {hn::BitCast(d16, hn::InterleaveLower(d8, low, high)),
          hn::BitCast(d16, hn::InterleaveUpper(d8, low, high))};
}

// low + 16 high of signed bytes that were unpacked, without overflow when |high| < 128.
template <class D16, class V16 = hn::Vec<D16>>
HWY_INLINE V16 weigh(D16 d16, V16 pairs) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3_DL
  const auto weights = hn::Set(d16, std::int16_t{0x1001});
  if constexpr (hn::MaxLanes(D16()) == 8) {
    return V16{_mm_maddubs_epi16(weights.raw, pairs.raw)};
  } else if constexpr (hn::MaxLanes(D16()) == 16) {
    return V16{_mm256_maddubs_epi16(weights.raw, pairs.raw)};
  } else {
#if HWY_TARGET == HWY_AVX3_DL
    return V16{_mm512_maddubs_epi16(weights.raw, pairs.raw)};
#endif
  }
#else
  (void)d16;
  const auto high = hn::ShiftRight<8>(pairs);
  return hn::Add(hn::ShiftRight<8>(hn::ShiftLeft<8>(pairs)), hn::ShiftLeft<4>(high));
#endif
}

// Numbers that fit a signed byte back into bytes.
template <class D8, class V16>
HWY_INLINE hn::Vec<D8> pack(D8 d8, V16 low, V16 high) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3_DL
  (void)d8;
  if constexpr (hn::MaxLanes(D8()) == 16) {
    return hn::Vec<D8>{_mm_packs_epi16(low.raw, high.raw)};
  } else if constexpr (hn::MaxLanes(D8()) == 32) {
    return hn::Vec<D8>{_mm256_packs_epi16(low.raw, high.raw)};
  } else {
#if HWY_TARGET == HWY_AVX3_DL
    return hn::Vec<D8>{_mm512_packs_epi16(low.raw, high.raw)};
#endif
  }
#else
  static_assert(hn::MaxLanes(D8()) == 16, "wider vectors need a pack within 128-bit parts");
  return hn::ConcatEven(d8, hn::BitCast(d8, high), hn::BitCast(d8, low));
#endif
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
