#include "device/cpu/noise.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "device/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/noise.cpp"  // NOLINT: Highway's way to recompile
#include <hwy/foreach_target.h>                    // IWYU pragma: keep

#include <hwy/highway.h>
#include <hwy/nanobenchmark.h>

#include "device/cpu/noise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

void fill_words(const NoiseKey& key, std::uint64_t first_low, std::size_t lows,
                std::uint64_t first_high, std::size_t highs, std::uint64_t* out) {
  using D = hn::CappedTag<std::uint64_t, 2>;
  const D d;
  const RoundKeys<D> keys(key);
  for (std::size_t h = 0; h < highs; ++h) {
    for (std::size_t l = 0; l < lows; ++l, out += 2) {
      const auto counter = whitened(d, keys, counters<1>(d, first_low + l, first_high + h));
      hn::StoreU(hn::BitCast(d, random_bits(d, keys, counter)), d, out);
    }
  }
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
// Libhwy measures its timer before main(), for a benchmark nobody here runs: 3 ms of every start.
// The program's own definition is the one it then calls.
namespace hwy::platform {
std::uint64_t TimerResolution() {
  return 1;
}
}  // namespace hwy::platform

namespace chainmail {

namespace {

bool has_wide_aes() {
#if HWY_ARCH_X86
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c >> 9U & 1U) != 0;
#else
  return false;
#endif
}

}  // namespace

bool may_use_wide_aes = has_wide_aes();

HWY_EXPORT(fill_words);

void noise_words(const NoiseKey& key, std::uint64_t first_low, std::size_t lows,
                 std::uint64_t first_high, std::size_t highs, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(fill_words)(key, first_low, lows, first_high, highs, out);
}

}  // namespace chainmail
#endif  // HWY_ONCE
