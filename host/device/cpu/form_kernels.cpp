#include "device/cpu/form_kernels.hpp"

#include <cstdint>

#include "device/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/form_kernels.cpp"  // NOLINT: Highway's way to recompile
#include <hwy/foreach_target.h>                           // IWYU pragma: keep

#include <hwy/highway.h>

#include "device/cpu/form_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {
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

void minus_log(double* numbers, std::size_t count) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector one = hn::Set(d, 1.0);
  for (std::size_t k = 0; k < count; k += lanes) {
    hn::StoreU(minus_log_of(hn::Sub(one, hn::LoadU(d, numbers + k))), d, numbers + k);
  }
}

const char* form_target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace chainmail {

HWY_EXPORT(add_row);
HWY_EXPORT(boltzmann_weights);
HWY_EXPORT(minus_log);
HWY_EXPORT(form_target);

void add_row(double* to, const double* row, double factor, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(add_row)(to, row, factor, count);
}

void boltzmann_weights(double* energies, std::size_t count, double beta, double least) {
  HWY_DYNAMIC_DISPATCH(boltzmann_weights)(energies, count, beta, least);
}

void minus_log(double* numbers, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(minus_log)(numbers, count);
}

const char* form_target() {
  return HWY_DYNAMIC_DISPATCH(form_target)();
}

}  // namespace chainmail
#endif
