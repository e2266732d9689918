// exp and log of vectors of doubles, by the same operations in the same order on every instruction
// set. Included once per SIMD target.
#if defined(CHAINMAIL_FORM_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CHAINMAIL_FORM_MATH_INL
#undef CHAINMAIL_FORM_MATH_INL
#else
#define CHAINMAIL_FORM_MATH_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

// exp(-x), 0 <= x <= 44: 2^-n times a polynomial.
HWY_INLINE Vector exp_minus_of(Vector x) {
  const Doubles d;
  const hn::RebindToSigned<Doubles> whole;
  const auto set = [&](double value) { return hn::Set(d, value); };
  const auto n = hn::ConvertTo(
      whole, hn::Add(hn::Mul(x, set(1.4426950408889634)), set(0.5)));  // x is not negative
  const Vector octaves = hn::ConvertTo(d, n);
  const Vector r = hn::Add(hn::Sub(hn::Mul(octaves, set(0.693147180369123816490)), x),
                           hn::Mul(octaves, set(1.90821492927058770002e-10)));
  const Vector square = hn::Mul(r, r), fourth = hn::Mul(square, square);
  const auto pair = [&](double low, double high) {
    return hn::Add(set(low), hn::Mul(r, set(high)));
  };
  const auto four = [&](Vector low, Vector high) { return hn::Add(low, hn::Mul(square, high)); };
  const Vector low = four(pair(1.0, 1.0), pair(1.0 / 2, 1.0 / 6));
  const Vector middle = four(pair(1.0 / 24, 1.0 / 120), pair(1.0 / 720, 1.0 / 5040));
  const Vector high = four(pair(1.0 / 40320, 1.0 / 362880), pair(1.0 / 3628800, 1.0 / 39916800));
  const Vector p = hn::Add(low, hn::Mul(fourth, hn::Add(middle, hn::Mul(fourth, high))));
  const auto power = hn::ShiftLeft<52>(hn::Sub(hn::Set(whole, 1023), n));
  return hn::Mul(p, hn::BitCast(d, power));
}

// -ln v for normal v > 0: v = 2^n m with m in [sqrt(1/2), sqrt(2)), and
// ln m = 2 artanh z, z = (m - 1) / (m + 1).
HWY_INLINE Vector minus_log_of(Vector v) {
  const Doubles d;
  const hn::RebindToSigned<Doubles> whole;
  const auto set = [&](double value) { return hn::Set(d, value); };
  const auto bits = hn::BitCast(whole, v);
  // Taking the bits of sqrt(1/2) off leaves n in the exponent's place.
  const auto root = hn::Set(whole, std::int64_t{0x3fe6a09e667f3bcd});
  const auto n = hn::ShiftRight<52>(hn::Sub(bits, root));
  const Vector m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(n)));
  const Vector z = hn::Div(hn::Sub(m, set(1.0)), hn::Add(m, set(1.0)));
  const Vector y = hn::Mul(z, z);
  Vector p = set(2.0 / 21);
  for (int odd = 19; odd > 0; odd -= 2) p = hn::Add(set(2.0 / odd), hn::Mul(y, p));
  const Vector octaves = hn::Mul(hn::ConvertTo(d, n), set(0.693147180559945309417));
  return hn::Neg(hn::Add(octaves, hn::Mul(z, p)));
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
