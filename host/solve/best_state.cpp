#include "solve/best_state.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {
constexpr std::size_t kRemembered = 4096;
}

std::optional<double> BestState::feasible_energy() const {
  if (!best_.feasible) return std::nullopt;
  return best_.energy;
}

void BestState::offer(const BurstResult& burst, Device& device, std::size_t grid,
                      std::uint64_t sweep) {
  if (keep_ > 1) offer_to_pool(burst, device, grid, sweep);
  const auto lowest = std::min_element(burst.best_f.begin(), burst.best_f.end());
  if (std::isfinite(*lowest)) {
    // A device with few bits may misjudge f by `rounding_`; states within it are worth a look.
    const bool promising = !best_.feasible || *lowest < best_.energy + rounding_;
    if (promising && !seen_.contains(*lowest)) {
      if (seen_.size() >= kRemembered) seen_.clear();
      seen_.insert(*lowest);
      const auto replica = static_cast<std::size_t>(lowest - burst.best_f.begin());
      judge(device.read_spins(grid, replica, Which::best), *lowest, sweep);
    }
  }
  if (best_.feasible) return;
  const auto least = std::min_element(burst.g.begin(), burst.g.end());
  const auto replica = static_cast<std::size_t>(least - burst.g.begin());
  if (*least < best_.g) judge(device.read_spins(grid, replica), burst.f[replica], sweep);
}

void BestState::offer_to_pool(const BurstResult& burst, Device& device, std::size_t grid,
                              std::uint64_t sweep) {
  for (std::size_t replica = 0; replica < burst.best_f.size(); ++replica) {
    const bool full = pool_.size() == keep_;
    if (full && !(burst.best_f[replica] < pool_.back().energy + rounding_)) continue;
    if (!std::isfinite(burst.best_f[replica])) continue;
    TrialResult state = judged(device.read_spins(grid, replica, Which::best), sweep);
    const auto same = [&](const TrialResult& other) { return other.solution == state.solution; };
    if (!state.feasible || std::any_of(pool_.begin(), pool_.end(), same)) continue;
    const auto place = std::upper_bound(
        pool_.begin(), pool_.end(), state.energy,
        [](double energy, const TrialResult& other) { return energy < other.energy; });
    pool_.insert(place, std::move(state));
    if (pool_.size() > keep_) pool_.pop_back();
  }
}

TrialResult BestState::judged(std::span<const Spin> physical, std::uint64_t sweep) const {
  TrialResult state;
  state.g = embedding_->model.g(physical);
  state.feasible = state.g <= kFeasible;
  state.solution = decode_majority(*embedding_, physical).spins;
  state.energy = problem_->objective(state.solution);
  state.found_at_sweep = sweep;
  return state;
}

void BestState::judge(std::span<const Spin> physical, double device_f, std::uint64_t sweep) {
  TrialResult state = judged(physical, sweep);
  if (state.feasible) rounding_ = std::max(rounding_, std::abs(device_f - state.energy));
  const bool better = state.feasible != best_.feasible ? state.feasible
                      : state.feasible                 ? state.energy < best_.energy
                                                       : state.g < best_.g;
  if (better) best_ = std::move(state);
}

}  // namespace chainmail
