// Random bits from AES rounds on a counter (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", 2011), and logistic noise in float made of them. Included once per SIMD target.
#if defined(CHAINMAIL_NOISE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CHAINMAIL_NOISE_INL
#undef CHAINMAIL_NOISE_INL
#else
#define CHAINMAIL_NOISE_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "device/cpu/noise.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using Bytes = hn::Repartition<std::uint8_t, D>;
template <class D>
using Words = hn::Repartition<std::uint64_t, D>;

// Bits of `yes` where mask is set, of `no` elsewhere. (Highway's IfVecThenElse promises this for
// whole lanes only; with AVX-512 it is one instruction that works on bits.)
template <class V>
HWY_INLINE V select_bits(V mask, V yes, V no) {
#if HWY_TARGET == HWY_AVX3_DL
  return hn::IfVecThenElse(mask, yes, no);
#else
  return hn::Xor(no, hn::And(mask, hn::Xor(yes, no)));
#endif
}

// The round keys, one copy in every 128-bit part of a vector.
template <class D>
struct RoundKeys {
  hn::Vec<Bytes<D>> key[kNoiseRounds + 1];
  bool wide_aes = may_use_wide_aes;
  explicit HWY_INLINE RoundKeys(const NoiseKey& from) {
    for (int r = 0; r <= kNoiseRounds; ++r) {
      key[r] = hn::BitCast(Bytes<D>(), hn::LoadDup128(Words<D>(), from.words.data() + 2 * r));
    }
  }
};

// What the 128-bit parts of a vector add to their counters: part b gets kStep * (b % kWrap) in the
// low word and b / kWrap in the high one.
template <std::uint64_t kStep, std::size_t kWrap>
struct PartCounters {
  HWY_ALIGN std::uint64_t words[8] = {};
  constexpr PartCounters() {
    for (std::size_t b = 0; b < 4; ++b) {
      words[2 * b] = kStep * (b % kWrap);
      words[2 * b + 1] = b / kWrap;
    }
  }
};

// Counters for the parts of a vector. Made without going through memory, which would stall the
// loops.
template <std::uint64_t kStep, std::size_t kWrap = 4, class D>
HWY_INLINE hn::Vec<Words<D>> counters(D /*tag*/, std::uint64_t low, std::uint64_t high) {
  const Words<D> d64;
  static constexpr PartCounters<kStep, kWrap> kParts;
  const auto same = hn::OddEven(hn::Set(d64, high), hn::Set(d64, low));
  return hn::Add(same, hn::Load(d64, kParts.words));
}

// A counter in the form the cipher takes: added to the first key, so that loops can step it by
// adding.
template <class D>
HWY_INLINE hn::Vec<Words<D>> whitened(D /*tag*/, const RoundKeys<D>& keys,
                                      hn::Vec<Words<D>> counter) {
  return hn::Add(hn::BitCast(Words<D>(), keys.key[0]), counter);
}

#if HWY_TARGET == HWY_AVX2
// Highway treats 256-bit AES as part of AVX-512, but many processors have it with AVX2 alone.
HWY_INLINE hn::Vec256<std::uint8_t> wide_round(hn::Vec256<std::uint8_t> x,
                                               hn::Vec256<std::uint8_t> key) {
  hn::Vec256<std::uint8_t> out;
  asm("vaesenc %2, %1, %0" : "=x"(out.raw) : "x"(x.raw), "x"(key.raw));
  return out;
}
#endif

template <class D>
HWY_INLINE hn::Vec<Bytes<D>> random_bits(D d, const RoundKeys<D>& keys, hn::Vec<Words<D>> counter) {
  auto x = hn::BitCast(Bytes<D>(), counter);
#if HWY_TARGET == HWY_AVX2
  if constexpr (hn::MaxLanes(Bytes<D>()) == 32) {
    if (keys.wide_aes) {
      for (int r = 1; r <= kNoiseRounds; ++r) x = wide_round(x, keys.key[r]);
      return x;
    }
    // The halves must stay apart through all rounds, not be joined after each.
    const hn::Half<Bytes<D>> half;
    auto low = hn::LowerHalf(half, x), high = hn::UpperHalf(half, x);
    for (int r = 1; r <= kNoiseRounds; ++r) {
      const auto key = hn::LowerHalf(half, keys.key[r]);
      low = hn::AESRound(low, key);
      high = hn::AESRound(high, key);
    }
    return hn::Combine(Bytes<D>(), high, low);
  }
#endif
  for (int r = 1; r <= kNoiseRounds; ++r) x = hn::AESRound(x, keys.key[r]);
  (void)d;
  return x;
}

// Logistic noise L, P(L < x) = 1 / (1 + exp(-x)), from 32 bits: a sign and |L| = log((2 - v) / v)
// with v in (0, 1) on 31 bits, so that the tails reach down to 2^-32.
template <class D>
HWY_INLINE hn::Vec<D> logistic(D d, hn::Vec<Bytes<D>> bits) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto word = hn::BitCast(du, bits);
  const auto magnitude = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<1>(word)));
  const auto v = hn::Mul(hn::Add(magnitude, hn::Set(d, 0.5F)), hn::Set(d, 0x1.0p-31F));
  const auto size = hn::Log(d, hn::Div(hn::Sub(hn::Set(d, 2.0F), v), v));
  return hn::Xor(size, hn::BitCast(d, hn::ShiftLeft<31>(word)));
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
