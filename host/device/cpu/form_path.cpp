#include "device/cpu/form_path.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/cpu/form_kernels.hpp"
#include "device/cpu/form_replica.hpp"
#include "problem/bits.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

// An upper limit of what f's numbers add up to, without the constant.
double total_of(const FormModel& model) {
  double total = 0.0;
  for (double value : model.linear) total += std::abs(value);
  for (const Neighbour& n : model.pairs.items) total += std::abs(n.value);
  for (const MonomialValue& m : model.monomial_values) total += 4.0 * std::abs(m.value);
  for (std::size_t form = 0; form < model.limits.size(); ++form) {
    const FormLimits& limits = model.limits[form];
    if (!limits.soft()) continue;
    double most = 0.0;  // outside its limits
    for (const FormTerm& t : model.forms[form]) {
      most += std::abs(static_cast<double>(t.coefficient));
    }
    for (std::int64_t limit : {limits.lower, limits.upper}) {
      if (limit > kNoLower && limit < kNoUpper) most += std::abs(static_cast<double>(limit));
    }
    total += limits.price * std::max(1.0, most);
  }
  return total;
}

// f's numbers as multiples of a power of two, small enough to leave them unchanged and large enough
// that their sums are exact in any order: what a replica keeps up to date then follows from its
// state alone, not from how it got there.
std::shared_ptr<const FormModel> with_exact_sums(std::shared_ptr<const FormModel> model) {
  constexpr int kDigits = 52;
  const double total = total_of(*model);
  if (!(total > 0.0) || !std::isfinite(total)) return model;
  const double unit = std::ldexp(1.0, std::ilogb(total) + 1 - kDigits);
  const auto rounded = [&](double value) { return std::rint(value / unit) * unit; };
  const auto fits = [&](double value) { return rounded(value) == value; };
  const bool all = std::all_of(model->linear.begin(), model->linear.end(), fits) &&
                   std::all_of(model->pairs.items.begin(), model->pairs.items.end(),
                               [&](const Neighbour& n) { return fits(n.value); }) &&
                   std::all_of(model->monomial_values.begin(), model->monomial_values.end(),
                               [&](const MonomialValue& m) { return fits(m.value); }) &&
                   std::all_of(model->limits.begin(), model->limits.end(),
                               [&](const FormLimits& limits) { return fits(limits.price); });
  if (all) return model;
  auto changed = std::make_shared<FormModel>(*model);
  for (double& value : changed->linear) value = rounded(value);
  for (Neighbour& n : changed->pairs.items) n.value = rounded(n.value);
  for (MonomialValue& m : changed->monomial_values) m.value = rounded(m.value);
  // A price that is lost altogether would make a hard form of a soft one.
  for (FormLimits& limits : changed->limits) {
    if (limits.soft()) limits.price = std::max(unit, rounded(limits.price));
  }
  return changed;
}

class FormReplicas final : public Block {
 public:
  // Replica numbers first, first + stride, ...
  FormReplicas(const FormTables& tables, const LoadOptions& options, std::size_t first,
               std::size_t lanes)
      : tables_(tables), options_(options), first_(first), measured_(lanes) {
    replicas_.reserve(lanes);
    for (std::size_t k = 0; k < lanes; ++k) replicas_.emplace_back(tables, tables.model().limits);
  }

  void write(std::size_t lane, std::span<const Spin> spins) override {
    const std::vector<Bit> bits = bits_of(spins);
    if (!tables_.model().groups_hold(bits)) {
      throw DeviceError("cpu: a state in which not exactly one bit of a one-hot group is one");
    }
    replicas_[lane].set(bits);
  }
  std::vector<Spin> read(std::size_t lane) const override {
    return spins_of(replicas_[lane].bits());
  }

  void begin(std::span<const Parameters> parameters, const NoiseKey& key) override {
    for (std::size_t k = 0; k < replicas_.size(); ++k) {
      const std::uint64_t number = first_ + k * options_.stride;
      replicas_[k].begin(parameters[k], hash_of(key.words[0], {key.words[1], number}));
      measured_[k] = {};
    }
  }
  // Replica after replica, so that each stays in the cache.
  void sweep(std::uint64_t first, std::uint64_t count) override {
    for (std::size_t k = 0; k < replicas_.size(); ++k) {
      FormReplica& replica = replicas_[k];
      Welford& now = measured_[k];
      for (std::uint64_t sweep = first + 1; sweep <= first + count; ++sweep) {
        replica.sweep(options_.moves);
        const double step = replica.energy() - now.mean;
        now.mean += step / static_cast<double>(sweep);
        now.squares += step * (replica.energy() - now.mean);
      }
      now.sweeps = first + count;
    }
  }
  void energies(std::span<double> f, std::span<double> g) override {
    for (std::size_t k = 0; k < replicas_.size(); ++k) {
      replicas_[k].end();
      f[k] = replicas_[k].f();
      g[k] = replicas_[k].g();
    }
  }

  bool keeps_best() const override { return true; }
  void best(std::span<double> f) const override {
    for (std::size_t k = 0; k < replicas_.size(); ++k) f[k] = replicas_[k].best_f();
  }
  std::vector<Spin> read_best(std::size_t lane) override {
    return spins_of(replicas_[lane].best_bits());
  }

  void moments(std::span<BurstMoments> of) const override {
    for (std::size_t k = 0; k < replicas_.size(); ++k) {
      const Welford& now = measured_[k];
      const double variance =
          now.sweeps > 1 ? now.squares / static_cast<double>(now.sweeps - 1) : 0.0;
      of[k] = {now.mean, variance, replicas_[k].proposals(), replicas_[k].accepted(),
               replicas_[k].raised()};
    }
  }

  void reweigh(std::span<const double> weights) override {
    if (limits_.empty()) limits_ = tables_.model().limits;
    for (std::size_t form = 0; form < limits_.size(); ++form) limits_[form].weight = weights[form];
    for (FormReplica& replica : replicas_) replica.use_limits(limits_);
  }

 private:
  struct Welford {
    double mean = 0.0, squares = 0.0;
    std::uint64_t sweeps = 0;
  };

  const FormTables& tables_;
  const LoadOptions& options_;
  std::size_t first_;
  std::vector<FormReplica> replicas_;
  std::vector<Welford> measured_;
  std::vector<FormLimits> limits_;  // once weights have changed
};

class FormPath final : public Path {
 public:
  FormPath(std::shared_ptr<const FormModel> model, const LoadOptions& options)
      : model_(with_exact_sums(std::move(model))), tables_(*model_), options_(options) {}

  std::string describe() const override { return "forms"; }
  std::string target() const override { return form_target(); }
  Parameters quantise(const Parameters& wanted) const override { return wanted; }
  double ns_per_update() const override { return 5.0; }
  // Their memory shares cache lines, so neighbours run on one thread.
  std::size_t block_lanes() const override { return 64; }
  std::size_t least_block_lanes() const override { return 1; }
  std::size_t blocks_per_thread() const override { return 4; }  // hot ones take longer
  std::unique_ptr<Block> make_block(std::size_t first, std::size_t lanes) const override {
    return std::make_unique<FormReplicas>(tables_, options_, first, lanes);
  }

 private:
  std::shared_ptr<const FormModel> model_;
  FormTables tables_;
  LoadOptions options_;
};

}  // namespace

std::unique_ptr<Path> make_form_path(std::shared_ptr<const FormModel> model,
                                     const LoadOptions& options) {
  return std::make_unique<FormPath>(std::move(model), options);
}

}  // namespace chainmail
