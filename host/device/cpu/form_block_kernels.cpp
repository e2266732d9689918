#include <limits>

#include "device/cpu/form_blocks.hpp"
#include "device/cpu/simd_targets.hpp"
#include "support/random.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/form_block_kernels.cpp"  // NOLINT: Highway's way
#include <hwy/foreach_target.h>                                 // IWYU pragma: keep

#include <hwy/highway.h>

#include "device/cpu/form_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

using Wholes = hn::RebindToSigned<Doubles>;
using Words = hn::RebindToUnsigned<Doubles>;
static_assert(hn::MaxLanes(Doubles()) <= kBlock);

// How much the violation of a form grows when its sum becomes `to`.
HWY_INLINE Vector more_beyond(hn::Vec<Wholes> sum, hn::Vec<Wholes> to, hn::Vec<Wholes> lower,
                              hn::Vec<Wholes> upper) {
  const auto beyond = [&](hn::Vec<Wholes> s) {
    return hn::Max(hn::Zero(Wholes()), hn::Max(hn::Sub(lower, s), hn::Sub(s, upper)));
  };
  return hn::ConvertTo(Doubles(), hn::Sub(beyond(to), beyond(sum)));
}

// How much forms raise g when these bits flip, each alone: direction 1 or -1 per lane.
HWY_INLINE Vector forms_rise(const BlockState& state, const FormBlock& block, std::size_t lane,
                             hn::Vec<Wholes> direction) {
  const Doubles d;
  const Wholes whole;
  const std::int64_t* lower = state.tables->lower.data();
  const std::int64_t* upper = state.tables->upper.data();
  Vector rise = hn::Zero(d);
  const FormLayer* layer = state.tables->layers.data() + block.first_layer;
  for (const FormLayer* end = layer + block.layers; layer != end; ++layer) {
    const auto step = hn::LoadU(whole, layer->coefficient.data() + lane);
    const auto zero = hn::Zero(whole);
    const auto change = hn::IfThenElse(hn::Lt(direction, zero), hn::Sub(zero, step), step);
    Vector more, weight;
    if (layer->forms == FormLayer::Forms::one) {
      const auto sum = hn::Set(whole, state.sums[layer->first]);
      more = more_beyond(sum, hn::Add(sum, change), hn::Set(whole, lower[layer->first]),
                         hn::Set(whole, upper[layer->first]));
      weight = hn::Set(d, state.weights[layer->first]);
    } else if (layer->forms == FormLayer::Forms::ascending) {
      const std::size_t form = layer->first + lane;
      const auto sum = hn::LoadU(whole, state.sums + form);
      more = more_beyond(sum, hn::Add(sum, change), hn::LoadU(whole, lower + form),
                         hn::LoadU(whole, upper + form));
      weight = hn::LoadU(d, state.weights + form);
    } else {
      HWY_ALIGN std::int64_t sums[kBlock], lowers[kBlock], uppers[kBlock];
      HWY_ALIGN double weights[kBlock];
      for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        const std::uint32_t form = layer->index[lane + l];
        sums[l] = state.sums[form];
        lowers[l] = lower[form];
        uppers[l] = upper[form];
        weights[l] = state.weights[form];
      }
      const auto sum = hn::Load(whole, sums);
      more =
          more_beyond(sum, hn::Add(sum, change), hn::Load(whole, lowers), hn::Load(whole, uppers));
      weight = hn::Load(d, weights);
    }
    rise = hn::Add(rise, hn::Mul(weight, more));
  }
  return rise;
}

HWY_INLINE Vector fields_of(const BlockState& state, const FormBlock& block, std::size_t lane) {
  const Doubles d;
  if (block.in_row) return hn::LoadU(d, state.field + block.bits[lane]);
  HWY_ALIGN double fields[kBlock];
  for (std::size_t l = 0; l < hn::Lanes(d); ++l) fields[l] = state.field[block.bits[lane + l]];
  return hn::Load(d, fields);
}

HWY_INLINE Vector clashes_of(const BlockState& state, const FormBlock& block, std::size_t lane) {
  const Doubles d;
  const hn::Rebind<std::int32_t, Doubles> narrow;
  if (block.in_row) {
    return hn::PromoteTo(d, hn::LoadU(narrow, state.clashes + block.bits[lane]));
  }
  HWY_ALIGN std::int32_t clashes[kBlock];
  for (std::size_t l = 0; l < hn::Lanes(d); ++l) clashes[l] = state.clashes[block.bits[lane + l]];
  return hn::PromoteTo(d, hn::Load(narrow, clashes));
}

// 1 where a bit is zero, -1 where it is one.
HWY_INLINE hn::Vec<Wholes> directions_of(const BlockState& state, const FormBlock& block,
                                         std::size_t lane) {
  const Wholes whole;
  const hn::Rebind<std::uint8_t, Doubles> bytes;
  const hn::Rebind<std::int32_t, Doubles> narrow;
  HWY_ALIGN std::uint8_t gathered[kBlock];
  const std::uint8_t* from = state.x + block.bits[lane];
  if (!block.in_row) {
    for (std::size_t l = 0; l < hn::Lanes(whole); ++l) {
      gathered[l] = state.x[block.bits[lane + l]];
    }
    from = gathered;
  }
  const auto x = hn::PromoteTo(whole, hn::PromoteTo(narrow, hn::LoadU(bytes, from)));
  return hn::Sub(hn::Set(whole, 1), hn::Add(x, x));
}

// 1 - u of the random numbers first, first + 1, ... of a replica, as FormNoise draws them by mix64.
HWY_INLINE Vector one_minus_unit(std::uint64_t key, std::uint64_t first) {
  const Doubles d;
  const Words words;
  auto x = hn::Add(hn::Set(words, key + kMixStep * first + kMixStep),
                   hn::Mul(hn::Iota(words, 0), hn::Set(words, kMixStep)));
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<30>(x)), hn::Set(words, kMixFactors[0]));
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<27>(x)), hn::Set(words, kMixFactors[1]));
  x = hn::Xor(x, hn::ShiftRight<31>(x));
  const auto upper = hn::BitCast(Wholes(), hn::ShiftRight<11>(x));
  return hn::Sub(hn::Set(d, 1.0), hn::Mul(hn::ConvertTo(d, upper), hn::Set(d, 0x1.0p-53)));
}

BlockPlace first_accepted(const BlockState& state, std::span<const FormBlock> blocks,
                          BlockPlace from, std::uint64_t key, std::uint64_t drawn) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector beta = hn::Set(d, state.beta), penalty = hn::Set(d, state.penalty);
  const Vector zero = hn::Zero(d), one = hn::Set(d, 1.0);
  const Vector half = hn::Set(d, 0.5), sixth = hn::Set(d, 1.0 / 6.0);
  const Vector nearly = hn::Set(d, 1.0 + 1e-9), furthest = hn::Set(d, 44.0);
  for (std::size_t b = from.block; b < blocks.size(); ++b) {
    const FormBlock& block = blocks[b];
    const std::size_t begin = b == from.block ? from.lane : 0;
    for (std::size_t lane = begin / lanes * lanes; lane < block.count; lane += lanes) {
      const auto direction = directions_of(state, block, lane);
      const Vector sign = hn::ConvertTo(d, direction);
      Vector g = forms_rise(state, block, lane, direction);
      if (state.clashes != nullptr) {
        g = hn::Add(g, hn::Mul(sign, clashes_of(state, block, lane)));
      }
      const Vector f = hn::Mul(sign, fields_of(state, block, lane));
      const Vector rise = hn::Add(f, hn::Mul(penalty, g));
      const Vector x = hn::Mul(beta, rise);
      const Vector v = one_minus_unit(key, drawn + kBlock * b + lane + 1);
      // exp(x) is at least the first terms of its series: if v exceeds one over them, it is
      // rejected without an exponential.
      const Vector series =
          hn::Add(one, hn::Mul(x, hn::Add(one, hn::Mul(x, hn::Add(half, hn::Mul(x, sixth))))));
      const auto falls = hn::Le(rise, zero);
      const auto may = hn::Or(falls, hn::Le(hn::Mul(v, series), nearly));
      if (hn::AllFalse(d, may)) continue;
      const Vector size = state.heat_bath ? hn::Abs(x) : hn::Max(x, zero);
      const Vector chance = exp_minus_of(hn::Min(size, furthest));
      // Heat bath: 1 / (1 + exp(x)), written so that nothing overflows.
      const auto taken = state.heat_bath ? hn::Lt(hn::Mul(v, hn::Add(one, chance)),
                                                  hn::IfThenElse(falls, one, chance))
                                         : hn::Or(falls, hn::Lt(v, chance));
      std::uint64_t mask = 0;
      hn::StoreMaskBits(d, taken, reinterpret_cast<std::uint8_t*>(&mask));
      if (begin > lane) mask &= ~((std::uint64_t{1} << (begin - lane)) - 1);
      if (block.count < lane + lanes) mask &= (std::uint64_t{1} << (block.count - lane)) - 1;
      if (mask != 0) return {b, lane + static_cast<std::size_t>(__builtin_ctzll(mask))};
    }
  }
  return {blocks.size(), 0};
}

double group_weights(const BlockState& state, std::span<const FormBlock> blocks,
                     double* HWY_RESTRICT weights, double* HWY_RESTRICT sums) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector beta = hn::Set(d, state.beta), penalty = hn::Set(d, state.penalty);
  const auto up = hn::Set(Wholes(), 1);
  const Vector most = hn::Set(d, 44.0);
  Vector least = hn::Set(d, std::numeric_limits<double>::infinity());
  double* to = weights;
  for (const FormBlock& block : blocks) {
    for (std::size_t lane = 0; lane < kBlock; lane += lanes, to += lanes) {
      Vector g = forms_rise(state, block, lane, up);
      if (state.clashes != nullptr) g = hn::Add(g, clashes_of(state, block, lane));
      const Vector energy = hn::Add(fields_of(state, block, lane), hn::Mul(penalty, g));
      hn::StoreU(energy, d, to);
      // Lanes past the last repeat its bit without its forms: they must not be the minimum.
      if (lane + lanes <= block.count) {
        least = hn::Min(least, energy);
      } else {
        for (std::size_t l = lane; l < block.count; ++l) {
          least = hn::Min(least, hn::Set(d, to[l - lane]));
        }
      }
    }
  }
  const Vector from = hn::Set(d, hn::GetLane(hn::MinOfLanes(d, least)));
  double total = 0.0;
  to = weights;
  for (const FormBlock& block : blocks) {
    for (std::size_t lane = 0; lane < kBlock; lane += lanes) {
      const Vector x = hn::Mul(beta, hn::Sub(hn::LoadU(d, to + lane), from));
      const Vector near = hn::Min(hn::Max(x, hn::Zero(d)), most);
      hn::StoreU(hn::IfThenZeroElse(hn::Gt(x, most), exp_minus_of(near)), d, to + lane);
    }
    for (std::size_t l = block.count; l < kBlock; ++l) to[l] = 0.0;
    *sums = ((to[0] + to[1]) + (to[2] + to[3])) + ((to[4] + to[5]) + (to[6] + to[7]));
    total += *sums++;
    to += kBlock;
  }
  return total;
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace chainmail {

HWY_EXPORT(first_accepted);
HWY_EXPORT(group_weights);

BlockPlace first_accepted(const BlockState& state, std::span<const FormBlock> blocks,
                          BlockPlace from, std::uint64_t key, std::uint64_t drawn) {
  return HWY_DYNAMIC_DISPATCH(first_accepted)(state, blocks, from, key, drawn);
}

double group_weights(const BlockState& state, std::span<const FormBlock> blocks, double* weights,
                     double* sums) {
  return HWY_DYNAMIC_DISPATCH(group_weights)(state, blocks, weights, sums);
}

}  // namespace chainmail
#endif
