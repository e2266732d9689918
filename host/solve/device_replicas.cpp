#include "solve/device_replicas.hpp"

#include <algorithm>
#include <memory>

#include "problem/bits.hpp"

namespace chainmail {

DeviceReplicas::DeviceReplicas(const FormModel& model, Device& device, const LoadOptions& load)
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

void DeviceReplicas::set(std::size_t k, std::span<const Bit> bits) {
  device_.write_spins(0, k, spins_of(bits));
}

std::vector<Bit> DeviceReplicas::bits(std::size_t k) {
  return bits_of(device_.read_spins(0, k, Which::current));
}

void DeviceReplicas::burst(std::span<const Parameters> parameters, std::uint64_t sweeps,
                           const FormMoves& /*moves*/, std::uint64_t number) {
  device_.submit(0, parameters, sweeps, number);
  result_ = device_.wait(0);
  take_best();
}

bool DeviceReplicas::offer(const FormState& state) {
  if (!state.better_than(best_)) return false;
  best_ = state;
  return true;
}

void DeviceReplicas::judge(std::vector<Bit> bits) {
  FormState state{std::move(bits), 0.0, 0.0, false};
  state.f = model_.f(state.bits);
  state.g = model_.g(state.bits);
  state.feasible = model_.violated(state.bits) == 0;
  offer(state);
}

void DeviceReplicas::take_best() {
  const auto low = std::min_element(result_.best_f.begin(), result_.best_f.end());
  if (*low < lowest_) {
    lowest_ = *low;
    const auto k = static_cast<std::size_t>(low - result_.best_f.begin());
    judge(bits_of(device_.read_spins(0, k, Which::best)));
  }
  if (best_.feasible) return;
  const auto near = std::min_element(result_.g.begin(), result_.g.end());
  if (*near >= nearest_) return;
  nearest_ = *near;
  judge(bits(static_cast<std::size_t>(near - result_.g.begin())));
}

}  // namespace chainmail
