// The K copies of a spin are coupled by links of strength P: one at a time they hardly flip, which
// is the cost of copies. Given all other spins they are a one-dimensional Ising chain in a field,
// and such a chain can be drawn exactly: filter forward, sample backward (as in hidden Markov
// models; Rabiner 1989). The filter carries the log-odds x of a copy given those before it; a link
// of strength w passes on
//   log cosh((x + w) / 2) - log cosh((x - w) / 2)
// to the next copy's field. The last copy is drawn first, then each one before it given the one
// after. The fields cost the same as for single moves; the filter adds two exponentials, a division
// and a logarithm per link. Chains of any length, and p-bits without copies as chains of one.
#include "device/cpu/chain_sweep.hpp"

#include "device/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/chain_sweep.cpp"  // NOLINT: Highway's way to recompile
#include <hwy/foreach_target.h>                          // IWYU pragma: keep

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "device/cpu/float_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

template <class D>
HWY_INLINE hn::Vec<D> passed_on(D d, hn::Vec<D> x, hn::Vec<D> w) {
  const auto one = hn::Set(d, 1);
  const auto same = hn::Abs(hn::Add(x, w)), opposite = hn::Abs(hn::Sub(x, w));
  const auto rest =
      hn::Div(hn::Add(one, hn::Exp(d, hn::Neg(same))), hn::Add(one, hn::Exp(d, hn::Neg(opposite))));
  return hn::MulAdd(hn::Set(d, 0.5), hn::Sub(same, opposite), hn::Log(d, rest));
}

// What a chain's pass needs of its lanes.
template <class T>
struct ChainPass {
  const FloatModel<T>& model;
  FloatState<T>& state;
  T* odds;             // [copy][lane of the block]
  const float* noise;  // the same
};

template <class T, class D>
HWY_INLINE hn::Vec<D> scaled(D d, const ChainPass<T>& pass, std::size_t lane, hn::Vec<D> f,
                             hn::Vec<D> g) {
  const auto x = hn::Mul(hn::Load(d, pass.state.beta2.get() + lane), f);
  if (!pass.model.has_g) return x;
  return hn::MulAdd(hn::Load(d, pass.state.penalty2.get() + lane), g, x);
}

template <class T, class D>
HWY_INLINE hn::Vec<D> link_before(D d, const ChainPass<T>& pass, std::size_t at, std::size_t lane) {
  return scaled(d, pass, lane, hn::Set(d, pass.model.chains.link_f[at]),
                hn::Set(d, pass.model.chains.link_g[at]));
}

// One chain in kVectors vectors from `first_lane` on.
template <class T, int kVectors>
HWY_INLINE void resample(const ChainPass<T>& pass, std::size_t chain, std::size_t first_lane) {
  const hn::CappedTag<T, kLaneStep> d;
  const FloatModel<T>& model = pass.model;
  const ChainTable<T>& chains = model.chains;
  const std::size_t stride = pass.state.stride;
  const std::size_t begin = chains.start[chain], end = chains.start[chain + 1];
  T* spins = pass.state.spins.get();
  for (std::size_t at = begin; at < end; ++at) {
    const std::size_t pbit = chains.pbit[at];
    const auto f = sum_row<T, decltype(d), kVectors>(d, model.f, model.f_field, pbit,
                                                     spins + first_lane, stride);
    Lot<decltype(d), kVectors> g = f;
    if (model.has_g) {
      g = sum_row<T, decltype(d), kVectors>(d, model.g, model.g_field, pbit, spins + first_lane,
                                            stride);
    }
    for (int u = 0; u < kVectors; ++u) {
      const std::size_t lane = first_lane + static_cast<std::size_t>(u) * hn::Lanes(d);
      T* odds = pass.odds + (at - begin) * kFloatLanes + lane;
      auto x = scaled(d, pass, lane, f.v[u], g.v[u]);
      if (at > begin) {
        x = hn::Add(x,
                    passed_on(d, hn::Load(d, odds - kFloatLanes), link_before(d, pass, at, lane)));
      }
      hn::Store(x, d, odds);
    }
  }
  for (int u = 0; u < kVectors; ++u) {
    const std::size_t lane = first_lane + static_cast<std::size_t>(u) * hn::Lanes(d);
    auto from_next = hn::Zero(d);
    for (std::size_t at = end; at-- > begin;) {
      const std::size_t from = (at - begin) * kFloatLanes + lane;
      const auto x = hn::Add(hn::Load(d, pass.odds + from), from_next);
      const auto up = hn::Gt(x, load_noise(d, pass.noise + from));
      const auto spin = hn::IfThenElse(up, hn::Set(d, T(1)), hn::Set(d, T(-1)));
      hn::Store(spin, d, spins + chains.pbit[at] * stride + lane);
      from_next = hn::Mul(link_before(d, pass, at, lane), spin);
    }
  }
}

template <class T>
HWY_INLINE void sweep_all(const FloatModel<T>& model, FloatState<T>& state, std::uint64_t first,
                          std::uint64_t count) {
  constexpr int kVectors =
      static_cast<int>(kLaneStep / hn::MaxLanes(hn::CappedTag<T, kLaneStep>()));
  const RoundKeys<hn::CappedTag<float, kLaneStep>> keys(state.key);
  const ChainTable<T>& chains = model.chains;
  const auto odds = hwy::AllocateAligned<T>(chains.longest * kFloatLanes);
  const auto noise = hwy::AllocateAligned<float>(chains.longest * kFloatLanes);
  const ChainPass<T> pass{model, state, odds.get(), noise.get()};
  for (std::uint64_t sweep = first; sweep < first + count; ++sweep) {
    for (std::size_t c = 0; c + 1 < chains.start.size(); ++c) {
      for (std::size_t at = chains.start[c]; at < chains.start[c + 1]; ++at) {
        noise_row(keys, state.first_replica, state.stride, sweep * model.pbits + at,
                  noise.get() + (at - chains.start[c]) * kFloatLanes);
      }
      for (std::size_t lane = 0; lane < state.stride; lane += kLaneStep) {
        resample<T, kVectors>(pass, c, lane);
      }
    }
  }
}

void sweep_chains_single(const FloatModel<float>& model, FloatState<float>& state,
                         std::uint64_t first, std::uint64_t count) {
  sweep_all(model, state, first, count);
}
void sweep_chains_double(const FloatModel<double>& model, FloatState<double>& state,
                         std::uint64_t first, std::uint64_t count) {
  sweep_all(model, state, first, count);
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace chainmail {

namespace {
HWY_EXPORT(sweep_chains_single);
HWY_EXPORT(sweep_chains_double);
}  // namespace

void sweep_chains(const FloatModel<float>& model, FloatState<float>& state, std::uint64_t first,
                  std::uint64_t count) {
  HWY_DYNAMIC_DISPATCH(sweep_chains_single)(model, state, first, count);
}
void sweep_chains(const FloatModel<double>& model, FloatState<double>& state, std::uint64_t first,
                  std::uint64_t count) {
  HWY_DYNAMIC_DISPATCH(sweep_chains_double)(model, state, first, count);
}

}  // namespace chainmail
#endif  // HWY_ONCE
