// What the floating-point loops share: fields of a p-bit in many lanes and its noise.
// Included once per SIMD target.
#if defined(CHAINMAIL_FLOAT_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CHAINMAIL_FLOAT_LANES_INL
#undef CHAINMAIL_FLOAT_LANES_INL
#else
#define CHAINMAIL_FLOAT_LANES_INL
#endif

#include <hwy/highway.h>

#include "device/cpu/float_model.hpp"
#include "device/cpu/noise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

// A few neighbouring vectors at once, so that a coupling is broadcast once for all of them.
template <class D, int kVectors>
struct Lot {
  hn::Vec<D> v[kVectors];
};

template <class T, class D, int kVectors>
HWY_INLINE Lot<D, kVectors> sum_row(D d, const SparseRows<T>& rows, const std::vector<T>& field,
                                    std::size_t pbit, const T* HWY_RESTRICT spins,
                                    std::size_t stride) {
  Lot<D, kVectors> sum;
  for (int u = 0; u < kVectors; ++u) sum.v[u] = hn::Set(d, field[pbit]);
  const std::size_t end = rows.start[pbit + 1];
  for (std::size_t e = rows.start[pbit]; e < end; ++e) {
    const auto j = hn::Set(d, rows.value[e]);
    const T* from = spins + rows.column[e] * stride;
    for (int u = 0; u < kVectors; ++u) {
      sum.v[u] =
          hn::MulAdd(j, hn::Load(d, from + static_cast<std::size_t>(u) * hn::Lanes(d)), sum.v[u]);
    }
  }
  return sum;
}

// Fills `noise` with one logistic number per lane of the block. Four lanes share a counter.
HWY_INLINE void noise_row(const RoundKeys<hn::CappedTag<float, kLaneStep>>& keys,
                          std::size_t first_replica, std::size_t stride, std::uint64_t row,
                          float* HWY_RESTRICT noise) {
  const hn::CappedTag<float, kLaneStep> d;
  for (std::size_t lane = 0; lane < stride; lane += hn::Lanes(d)) {
    const auto bits =
        random_bits(d, keys, whitened(d, keys, counters<1>(d, (first_replica + lane) / 4, row)));
    hn::Store(logistic(d, bits), d, noise + lane);
  }
}

HWY_INLINE hn::Vec<hn::CappedTag<float, kLaneStep>> load_noise(hn::CappedTag<float, kLaneStep> d,
                                                               const float* noise) {
  return hn::Load(d, noise);
}
HWY_INLINE hn::Vec<hn::CappedTag<double, kLaneStep>> load_noise(hn::CappedTag<double, kLaneStep> d,
                                                                const float* noise) {
  return hn::PromoteTo(d, hn::Load(hn::Rebind<float, decltype(d)>(), noise));
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
