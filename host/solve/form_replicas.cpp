#include "solve/form_replicas.hpp"

#include <algorithm>

namespace chainmail {

namespace {

class CpuReplicas final : public FormReplicas {
 public:
  CpuReplicas(const FormPlan& plan, std::size_t replicas, std::uint64_t seed, Crew& crew)
      : engine_(plan, replicas, seed, crew) {}

  std::size_t size() const override { return engine_.size(); }
  void set(std::size_t k, std::span<const Bit> bits) override { engine_.set(k, bits); }
  Parameters quantise(const Parameters& wanted) const override { return wanted; }
  void burst(std::span<const Parameters> parameters, std::uint64_t sweeps, const FormMoves& moves,
             std::uint64_t /*number*/) override {
    engine_.burst(parameters, sweeps, moves);
  }
  double f(std::size_t k) const override { return engine_[k].f(); }
  double g(std::size_t k) const override { return engine_[k].g(); }
  bool feasible(std::size_t k) const override { return engine_[k].feasible(); }
  std::vector<Bit> bits(std::size_t k) const override {
    return {engine_[k].bits().begin(), engine_[k].bits().end()};
  }
  const FormState& best() const override { return engine_.best(); }
  void offer(const FormState& state) override { engine_.offer(state); }
  FormEngine* engine() override { return &engine_; }

 private:
  FormEngine engine_;
};

std::vector<Bit> as_bits(const std::vector<Spin>& spins) {
  std::vector<Bit> bits;
  for (Spin spin : spins) bits.push_back(spin > 0 ? 1 : 0);
  return bits;
}

class DeviceReplicas final : public FormReplicas {
 public:
  DeviceReplicas(const FormModel& model, Device& device, const LoadOptions& load)
      : model_(model), device_(device), replicas_(load.replicas) {
    PhysicalModel physical;
    physical.forms = std::make_shared<FormModel>(model);
    device.load(physical, load);
    // From zero, as near as groups allow.
    std::vector<Bit> start(model.bits, 0);
    for (std::size_t group = 0; group < model.groups.size(); ++group) {
      start[model.groups[group].front()] = 1;
    }
    for (std::size_t k = 0; k < replicas_; ++k) set(k, start);
  }

  std::size_t size() const override { return replicas_; }
  void set(std::size_t k, std::span<const Bit> bits) override {
    std::vector<Spin> spins;
    for (Bit bit : bits) spins.push_back(bit != 0 ? 1 : -1);
    device_.write_spins(0, k, spins);
  }
  Parameters quantise(const Parameters& wanted) const override { return device_.quantise(wanted); }

  void burst(std::span<const Parameters> parameters, std::uint64_t sweeps,
             const FormMoves& /*moves*/, std::uint64_t number) override {
    device_.submit(0, parameters, sweeps, number);
    result_ = device_.wait(0);
    take_best();
  }

  double f(std::size_t k) const override { return result_.f[k]; }
  double g(std::size_t k) const override { return result_.g[k]; }
  bool feasible(std::size_t k) const override { return result_.g[k] == 0.0; }
  std::vector<Bit> bits(std::size_t k) const override {
    return as_bits(device_.read_spins(0, k, Which::current));
  }
  const FormState& best() const override { return best_; }
  void offer(const FormState& state) override {
    if (state.better_than(best_)) best_ = state;
  }

 private:
  // The device's word decides which state is looked at, the model's what it is worth.
  void judge(std::vector<Bit> bits) {
    FormState state{std::move(bits), 0.0, 0.0, false};
    state.f = model_.f(state.bits);
    state.g = model_.g(state.bits);
    state.feasible = model_.violated(state.bits) == 0;
    offer(state);
  }

  void take_best() {
    const auto low = std::min_element(result_.best_f.begin(), result_.best_f.end());
    if (*low < lowest_) {
      lowest_ = *low;
      const auto k = static_cast<std::size_t>(low - result_.best_f.begin());
      judge(as_bits(device_.read_spins(0, k, Which::best)));
    }
    if (best_.feasible) return;
    const auto near = std::min_element(result_.g.begin(), result_.g.end());
    if (*near >= nearest_) return;
    nearest_ = *near;
    judge(bits(static_cast<std::size_t>(near - result_.g.begin())));
  }

  const FormModel& model_;
  Device& device_;
  std::size_t replicas_;
  BurstResult result_;
  FormState best_;
  double lowest_ = std::numeric_limits<double>::infinity();   // best f the device told of
  double nearest_ = std::numeric_limits<double>::infinity();  // g, while nothing is feasible
};

}  // namespace

std::unique_ptr<FormReplicas> cpu_replicas(const FormPlan& plan, std::size_t replicas,
                                           std::uint64_t seed, Crew& crew) {
  return std::make_unique<CpuReplicas>(plan, replicas, seed, crew);
}

std::unique_ptr<FormReplicas> device_replicas(const FormModel& model, Device& device,
                                              const LoadOptions& load) {
  return std::make_unique<DeviceReplicas>(model, device, load);
}

}  // namespace chainmail
