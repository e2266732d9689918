// Replicas of a form model on a device that takes constraints as they are written. The device's
// word decides which states are looked at, the model's what they are worth.
#pragma once

#include <limits>

#include "device/group/form_replicas.hpp"

namespace chainmail {

class DeviceReplicas final : public FormReplicas {
 public:
  // Loads the model, which must outlive them; `load` says how many replicas and which parameters
  // are to come.
  DeviceReplicas(const FormModel& model, Device& device, const LoadOptions& load);

  std::size_t size() const override { return replicas_; }
  void set(std::size_t k, std::span<const Bit> bits) override;
  Parameters quantise(const Parameters& wanted) const override { return device_.quantise(wanted); }
  void burst(std::span<const Parameters> parameters, std::uint64_t sweeps, const FormMoves& moves,
             std::uint64_t number) override;

  double f(std::size_t k) const override { return result_.f[k]; }
  double g(std::size_t k) const override { return result_.g[k]; }
  bool feasible(std::size_t k) const override { return result_.g[k] == 0.0; }
  std::vector<Bit> bits(std::size_t k) override;
  const FormState& best() const override { return best_; }
  bool offer(const FormState& state) override;

  FormSnapshot snapshot(std::size_t k) override { return {.bits = bits(k)}; }
  void restore(std::size_t k, const FormSnapshot& then) override { set(k, then.bits); }

 private:
  void judge(std::vector<Bit> bits);
  void take_best();

  const FormModel& model_;
  Device& device_;
  std::size_t replicas_;
  BurstResult result_;
  FormState best_;
  double lowest_ = std::numeric_limits<double>::infinity();   // best f the device told of
  double nearest_ = std::numeric_limits<double>::infinity();  // g, while nothing is feasible
};

}  // namespace chainmail
