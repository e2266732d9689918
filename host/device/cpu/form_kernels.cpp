#include "device/cpu/form_kernels.hpp"

#include <cstdint>

#include "device/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/form_kernels.cpp"  // NOLINT: Highway's way to recompile
#include <hwy/foreach_target.h>                           // IWYU pragma: keep

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

void add_row(double* HWY_RESTRICT to, const double* HWY_RESTRICT row, double factor,
             std::size_t count) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector times = hn::Set(d, factor);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(d, to + k), hn::Mul(times, hn::LoadU(d, row + k))), d, to + k);
  }
  for (; k < count; ++k) to[k] += factor * row[k];
}

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

void boltzmann_weights(double* HWY_RESTRICT energies, std::size_t count, double beta,
                       double least) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr double kFurthest = 44.0;
  const Vector times = hn::Set(d, beta), from = hn::Set(d, least), most = hn::Set(d, kFurthest);
  const auto weights = [&](Vector energy) {
    const Vector x = hn::Mul(times, hn::Sub(energy, from));
    return hn::IfThenZeroElse(hn::Gt(x, most), exp_minus_of(hn::Min(x, most)));
  };
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) {
    hn::StoreU(weights(hn::LoadU(d, energies + k)), d, energies + k);
  }
  if (k == count) return;
  HWY_ALIGN double rest[HWY_MAX_BYTES / sizeof(double)];
  for (std::size_t l = 0; l < lanes; ++l) rest[l] = k + l < count ? energies[k + l] : least;
  hn::Store(weights(hn::Load(d, rest)), d, rest);
  for (std::size_t l = 0; k + l < count; ++l) energies[k + l] = rest[l];
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

void minus_log(double* numbers, std::size_t count) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector one = hn::Set(d, 1.0);
  for (std::size_t k = 0; k < count; k += lanes) {
    hn::StoreU(minus_log_of(hn::Sub(one, hn::LoadU(d, numbers + k))), d, numbers + k);
  }
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace chainmail {

HWY_EXPORT(add_row);
HWY_EXPORT(boltzmann_weights);
HWY_EXPORT(minus_log);

void add_row(double* to, const double* row, double factor, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(add_row)(to, row, factor, count);
}

void boltzmann_weights(double* energies, std::size_t count, double beta, double least) {
  HWY_DYNAMIC_DISPATCH(boltzmann_weights)(energies, count, beta, least);
}

void minus_log(double* numbers, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(minus_log)(numbers, count);
}

}  // namespace chainmail
#endif
