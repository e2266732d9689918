// Heat bath in floating point, one replica in each lane: every lane keeps its own spins (±1), beta
// and penalty, and all lanes walk the same row of J, so a coupling is loaded once for a whole
// vector. The field of a p-bit is summed from scratch at each visit. Once a block has cooled so far
// that few of its p-bits change, keeping all local fields and adding only the changes is cheaper;
// the block then switches, by its own count of changes, and recomputes the kept fields every
// kPeriod sweeps so that rounding errors cannot accumulate.
#include "device/cpu/float_path.hpp"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/cpu/chain_sweep.hpp"
#include "device/cpu/float_model.hpp"
#include "device/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/float_path.cpp"  // NOLINT: Highway's way to recompile
#include <hwy/foreach_target.h>                         // IWYU pragma: keep

#include <hwy/highway.h>

#include "device/cpu/float_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace chainmail::HWY_NAMESPACE {

constexpr std::uint64_t kPeriod = 16;  // sweeps between fresh starts of kept fields

template <class T, class D, int kVectors>
HWY_INLINE void add_change(D d, const SparseRows<T>& rows, std::size_t pbit,
                           const Lot<D, kVectors>& change, T* HWY_RESTRICT fields,
                           std::size_t stride) {
  const std::size_t end = rows.start[pbit + 1];
  for (std::size_t e = rows.start[pbit]; e < end; ++e) {
    const auto j = hn::Set(d, rows.value[e]);
    T* to = fields + rows.column[e] * stride;
    for (int u = 0; u < kVectors; ++u) {
      T* place = to + static_cast<std::size_t>(u) * hn::Lanes(d);
      hn::Store(hn::MulAdd(j, change.v[u], hn::Load(d, place)), d, place);
    }
  }
}

// Updates one p-bit in kVectors vectors from `lane` on; true when any lane changed.
template <class T, int kVectors>
HWY_INLINE bool update(const FloatModel<T>& model, FloatState<T>& state, std::size_t pbit,
                       std::size_t lane, const float* noise) {
  const hn::CappedTag<T, kLaneStep> d;
  const std::size_t stride = state.stride;
  T* spins = state.spins.get() + lane;
  Lot<decltype(d), kVectors> f, g, change;
  if (state.keeping) {
    for (int u = 0; u < kVectors; ++u) {
      const std::size_t at = pbit * stride + lane + static_cast<std::size_t>(u) * hn::Lanes(d);
      f.v[u] = hn::Load(d, state.kept_f.get() + at);
      if (model.has_g) g.v[u] = hn::Load(d, state.kept_g.get() + at);
    }
  } else {
    f = sum_row<T, decltype(d), kVectors>(d, model.f, model.f_field, pbit, spins, stride);
    if (model.has_g) {
      g = sum_row<T, decltype(d), kVectors>(d, model.g, model.g_field, pbit, spins, stride);
    }
  }
  auto any = hn::Zero(d);
  for (int u = 0; u < kVectors; ++u) {
    const std::size_t at = lane + static_cast<std::size_t>(u) * hn::Lanes(d);
    auto x = hn::Mul(hn::Load(d, state.beta2.get() + at), f.v[u]);
    if (model.has_g) x = hn::MulAdd(hn::Load(d, state.penalty2.get() + at), g.v[u], x);
    const auto up = hn::Gt(x, load_noise(d, noise + at));
    const auto spin = hn::IfThenElse(up, hn::Set(d, T(1)), hn::Set(d, T(-1)));
    T* place = spins + pbit * stride + static_cast<std::size_t>(u) * hn::Lanes(d);
    change.v[u] = hn::Sub(spin, hn::Load(d, place));
    any = hn::Or(any, change.v[u]);
    hn::Store(spin, d, place);
  }
  if (hn::AllTrue(d, hn::Eq(any, hn::Zero(d)))) return false;
  if (state.keeping) {
    add_change<T, decltype(d), kVectors>(d, model.f, pbit, change, state.kept_f.get() + lane,
                                         stride);
    if (model.has_g) {
      add_change<T, decltype(d), kVectors>(d, model.g, pbit, change, state.kept_g.get() + lane,
                                           stride);
    }
  }
  return true;
}

// All lanes of one p-bit; returns how many of the (at most two) groups of vectors changed.
template <class T>
HWY_INLINE std::size_t update_row(const FloatModel<T>& model, FloatState<T>& state,
                                  std::size_t pbit, const float* noise) {
  // kLaneStep lanes are this many vectors.
  constexpr int kVectors =
      static_cast<int>(kLaneStep / hn::MaxLanes(hn::CappedTag<T, kLaneStep>()));
  std::size_t changed = 0;
  if (kVectors <= 2 && state.stride == 2 * kLaneStep) {
    return update<T, 2 * kVectors>(model, state, pbit, 0, noise) ? 1 : 0;
  }
  for (std::size_t lane = 0; lane < state.stride; lane += kLaneStep) {
    if (update<T, kVectors>(model, state, pbit, lane, noise)) ++changed;
  }
  return changed;
}

template <class T>
void keep_fields(const FloatModel<T>& model, FloatState<T>& state) {
  const hn::CappedTag<T, kLaneStep> d;
  for (std::size_t i = 0; i < model.pbits; ++i) {
    for (std::size_t lane = 0; lane < state.stride; lane += hn::Lanes(d)) {
      const T* spins = state.spins.get() + lane;
      const std::size_t at = i * state.stride + lane;
      hn::Store(sum_row<T, decltype(d), 1>(d, model.f, model.f_field, i, spins, state.stride).v[0],
                d, state.kept_f.get() + at);
      if (!model.has_g) continue;
      hn::Store(sum_row<T, decltype(d), 1>(d, model.g, model.g_field, i, spins, state.stride).v[0],
                d, state.kept_g.get() + at);
    }
  }
}

// Adding a change costs about 2.5 times what reading a neighbour costs (load, add, store), and a
// kept row only pays with more than a handful of neighbours.
template <class T>
bool worth_keeping(const FloatModel<T>& model, std::size_t changed, std::size_t visits) {
  const std::size_t entries = model.f.column.size() + model.g.column.size();
  return entries >= 8 * model.pbits && 5 * changed < 2 * visits;
}

template <class T>
HWY_INLINE void sweep_lanes(const FloatModel<T>& model, FloatState<T>& state, std::uint64_t first,
                            std::uint64_t count) {
  const RoundKeys<hn::CappedTag<float, kLaneStep>> keys(state.key);
  HWY_ALIGN float noise[kFloatLanes];
  for (std::uint64_t sweep = first; sweep < first + count; ++sweep) {
    if (sweep % kPeriod == 0) state.keeping = false;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < model.pbits; ++i) {
      noise_row(keys, state.first_replica, state.stride, sweep * model.pbits + i, noise);
      changed += update_row(model, state, i, noise);
    }
    if (sweep % kPeriod == 0 && worth_keeping(model, changed, model.pbits)) {
      keep_fields(model, state);
      state.keeping = true;
    }
  }
}

// q = offset - sum_i S_i (h_i + sum_{j<i} J_ij S_j), in double whatever the lanes use.
template <class T>
HWY_INLINE void add_up(const SparseRows<double>& below, const std::vector<double>& field,
                       double offset, const FloatState<T>& state, std::span<double> out) {
  double total[kFloatLanes] = {};
  for (std::size_t i = 0; i + 1 < below.start.size(); ++i) {
    double sum[kFloatLanes];
    std::fill(sum, sum + state.stride, field[i]);
    for (std::size_t e = below.start[i]; e < below.start[i + 1]; ++e) {
      const T* spin = state.spins.get() + below.column[e] * state.stride;
      const double j = below.value[e];
      for (std::size_t l = 0; l < state.stride; ++l) sum[l] += j * static_cast<double>(spin[l]);
    }
    const T* spin = state.spins.get() + i * state.stride;
    for (std::size_t l = 0; l < state.stride; ++l)
      total[l] += sum[l] * static_cast<double>(spin[l]);
  }
  for (std::size_t l = 0; l < state.lanes; ++l) out[l] = offset - total[l];
}

void sweep_single(const FloatModel<float>& model, FloatState<float>& state, std::uint64_t first,
                  std::uint64_t count) {
  sweep_lanes(model, state, first, count);
}
void sweep_double(const FloatModel<double>& model, FloatState<double>& state, std::uint64_t first,
                  std::uint64_t count) {
  sweep_lanes(model, state, first, count);
}
void add_up_single(const FloatModel<float>& model, const FloatState<float>& state,
                   std::span<double> f, std::span<double> g) {
  add_up(model.f_below, model.f_field_exact, model.f_offset, state, f);
  add_up(model.g_below, model.g_field_exact, model.g_offset, state, g);
}
void add_up_double(const FloatModel<double>& model, const FloatState<double>& state,
                   std::span<double> f, std::span<double> g) {
  add_up(model.f_below, model.f_field_exact, model.f_offset, state, f);
  add_up(model.g_below, model.g_field_exact, model.g_offset, state, g);
}
const char* target_name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace chainmail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace chainmail {
namespace {

HWY_EXPORT(sweep_single);
HWY_EXPORT(sweep_double);
HWY_EXPORT(add_up_single);
HWY_EXPORT(add_up_double);
HWY_EXPORT(target_name);

template <class T>
class FloatBlock final : public Block {
 public:
  FloatBlock(const FloatModel<T>& model, std::size_t first_replica, std::size_t lanes)
      : model_(model) {
    state_.first_replica = first_replica;
    state_.lanes = lanes;
    state_.stride = (lanes + kLaneStep - 1) / kLaneStep * kLaneStep;
    const std::size_t cells = model.pbits * state_.stride;
    state_.spins = hwy::AllocateAligned<T>(cells);
    std::fill_n(state_.spins.get(), cells, T(1));
    state_.kept_f = hwy::AllocateAligned<T>(cells);
    if (model.has_g) state_.kept_g = hwy::AllocateAligned<T>(cells);
    state_.beta2 = hwy::AllocateAligned<T>(state_.stride);
    state_.penalty2 = hwy::AllocateAligned<T>(state_.stride);
  }

  void write(std::size_t lane, std::span<const Spin> spins) override {
    for (std::size_t i = 0; i < spins.size(); ++i) {
      state_.spins[i * state_.stride + lane] = static_cast<T>(spins[i]);
    }
  }
  std::vector<Spin> read(std::size_t lane) const override {
    std::vector<Spin> spins(model_.pbits);
    for (std::size_t i = 0; i < spins.size(); ++i) {
      spins[i] = static_cast<Spin>(state_.spins[i * state_.stride + lane]);
    }
    return spins;
  }
  void begin(std::span<const Parameters> parameters, const NoiseKey& key) override {
    for (std::size_t l = 0; l < state_.stride; ++l) {
      const bool used = l < parameters.size();
      state_.beta2[l] = used ? static_cast<T>(2.0 * parameters[l].beta) : T(0);
      state_.penalty2[l] = used ? static_cast<T>(2.0 * parameters[l].beta_penalty) : T(0);
    }
    state_.key = key;
    state_.keeping = false;
  }
  void sweep(std::uint64_t first, std::uint64_t count) override {
    if (model_.chains.longest > 0) {
      sweep_chains(model_, state_, first, count);
      return;
    }
    if constexpr (std::is_same_v<T, float>) {
      HWY_DYNAMIC_DISPATCH(sweep_single)(model_, state_, first, count);
    } else {
      HWY_DYNAMIC_DISPATCH(sweep_double)(model_, state_, first, count);
    }
  }
  void energies(std::span<double> f, std::span<double> g) override {
    if constexpr (std::is_same_v<T, float>) {
      HWY_DYNAMIC_DISPATCH(add_up_single)(model_, state_, f, g);
    } else {
      HWY_DYNAMIC_DISPATCH(add_up_double)(model_, state_, f, g);
    }
  }

 private:
  const FloatModel<T>& model_;
  FloatState<T> state_;
};

template <class T>
class FloatPath final : public Path {
 public:
  FloatPath(FloatModel<T> model, std::string kind, std::string why, double largest)
      : model_(std::move(model)),
        kind_(std::move(kind)),
        why_(std::move(why)),
        // Beyond this a field times beta would overflow; long before, it is zero temperature.
        limit_(1e30 / std::max(1.0, largest)) {}

  std::string describe() const override {
    const std::string width = std::is_same_v<T, float> ? "single" : "double";
    return kind_ + " (" + width + " precision; " + why_ + ")";
  }
  std::string target() const override { return HWY_DYNAMIC_DISPATCH(target_name)(); }
  Parameters quantise(const Parameters& wanted) const override {
    return {std::min(wanted.beta, limit_), std::min(wanted.beta_penalty, limit_)};
  }
  std::size_t block_lanes() const override { return kFloatLanes; }
  std::unique_ptr<Block> make_block(std::size_t first_replica, std::size_t lanes) const override {
    return std::make_unique<FloatBlock<T>>(model_, first_replica, lanes);
  }

 private:
  FloatModel<T> model_;
  std::string kind_, why_;
  double limit_;
};

// Single precision loses 2^-24 of the largest sum; that must not shift log-odds at the coldest beta
// by more than 1e-3. An unknown beta is taken as one that freezes a typical coupling.
bool needs_double(const PhysicalModel& model, const LoadOptions& options) {
  constexpr double kEpsilon = 0x1.0p-24;
  const double f = largest_field(model.f), g = largest_field(model.g);
  const double rms = rms_coefficient(model.f);
  const double beta = options.beta_max > 0.0 ? options.beta_max : rms > 0.0 ? 10.0 / rms : 1.0;
  return 2.0 * beta * (f + options.penalty_max * g) * kEpsilon > 1e-3;
}

template <class T>
std::unique_ptr<Path> make_path(const PhysicalModel& model, bool chains, const std::string& why) {
  const double largest = largest_field(model.f) + largest_field(model.g);
  if (!chains) {
    return std::make_unique<FloatPath<T>>(make_float_model<T>(model), "float path", why, largest);
  }
  return std::make_unique<FloatPath<T>>(make_chain_model<T>(model), "chain-block heat bath", why,
                                        largest);
}

std::unique_ptr<Path> make_path(const PhysicalModel& model, const LoadOptions& options, bool chains,
                                const std::string& why) {
  return needs_double(model, options) ? make_path<double>(model, chains, why)
                                      : make_path<float>(model, chains, why);
}

}  // namespace

std::unique_ptr<Path> make_float_path(const PhysicalModel& model, const LoadOptions& options,
                                      const std::string& why) {
  return make_path(model, options, false, why);
}

std::unique_ptr<Path> make_chain_path(const PhysicalModel& model, const LoadOptions& options) {
  return make_path(model, options, true, "copies of a spin resampled together");
}

}  // namespace chainmail
#endif  // HWY_ONCE
