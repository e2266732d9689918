#include "solve/best_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace chainmail {

namespace {
constexpr std::size_t kRemembered = 4096;
// Judging walks all couplings once, a sweep all p-bits of some 32 replicas; a coupling is streamed
// from memory in about the time of one update.
constexpr double kReplicas = 32.0;
}  // namespace

std::optional<double> BestState::feasible_energy() const {
  if (!best_.feasible) return std::nullopt;
  return best_.energy;
}

bool BestState::is_feasible(const BurstResult& burst, Device& device, std::size_t grid,
                            std::size_t replica) const {
  if (judge_.holds(burst.g[replica]) || !slack_.any()) return judge_.holds(burst.g[replica]);
  const std::vector<Spin> spins = device.read_spins(grid, replica);
  return slack_.feasible_f(spins, burst.f[replica], burst.g[replica]).has_value();
}

// A device with few bits may misjudge f by `rounding_`; states within that are worth judging.
bool BestState::promising(double f) const {
  if (best_.feasible && !(f < best_.energy + rounding_)) return false;
  return !seen_.contains(f);
}

void BestState::offer(const BurstResult& burst, Device& device, std::size_t grid,
                      std::uint64_t sweep) {
  for (std::size_t replica = 0; keep_ > 1 && replica < burst.best_f.size(); ++replica) {
    if (!pool_wants(burst.best_f[replica])) continue;
    add_to_pool(judge_(device.read_spins(grid, replica, Which::best), sweep));
  }
  if (later_)
    note_lowest(burst, device, grid, sweep);
  else
    offer_lowest(burst, device, grid, sweep);
  if (slack_.any()) offer_with_slack_set(burst, device, grid, sweep);
  if (best_.feasible) return;
  const auto least = std::min_element(burst.g.begin(), burst.g.end());
  const auto replica = static_cast<std::size_t>(least - burst.g.begin());
  if (*least < best_.g) judge(device.read_spins(grid, replica), burst.f[replica], sweep);
}

void BestState::note_lowest(const BurstResult& burst, Device& device, std::size_t grid,
                            std::uint64_t sweep) {
  const auto lowest = std::min_element(burst.best_f.begin(), burst.best_f.end());
  if (std::isfinite(*lowest) && promising(*lowest)) {
    const auto replica = static_cast<std::size_t>(lowest - burst.best_f.begin());
    judge_or_note(device.read_spins(grid, replica, Which::best), *lowest, sweep);
  } else if (note_ && worth_judging(*note_, sweep)) {
    settle();
    judged_at_ = sweep;
  }
}

// The lowest of what the device calls feasible; the next one if the judge disagrees.
void BestState::offer_lowest(const BurstResult& burst, Device& device, std::size_t grid,
                             std::uint64_t sweep) {
  const auto wanted = [&](double f) { return std::isfinite(f) && promising(f); };
  if (!wanted(*std::min_element(burst.best_f.begin(), burst.best_f.end()))) return;
  std::vector<std::size_t> order(burst.best_f.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return burst.best_f[a] < burst.best_f[b]; });
  for (std::size_t replica : order) {
    const double f = burst.best_f[replica];
    if (!wanted(f) || judge(device.read_spins(grid, replica, Which::best), f, sweep)) return;
  }
}

void BestState::offer_with_slack_set(const BurstResult& burst, Device& device, std::size_t grid,
                                     std::uint64_t sweep) {
  for (std::size_t replica = 0; replica < burst.f.size(); ++replica) {
    std::vector<Spin> spins = device.read_spins(grid, replica);
    const std::optional<double> f = slack_.feasible_f(spins, burst.f[replica], burst.g[replica]);
    if (!f) continue;
    const bool wanted = keep_ > 1 && pool_wants(*f);
    if (!promising(*f) && !wanted) continue;
    slack_.set(spins);
    if (wanted) add_to_pool(judge_(spins, sweep));
    judge(spins, *f, sweep);
  }
}

bool BestState::pool_wants(double f) const {
  return std::isfinite(f) && (pool_.size() < keep_ || f < pool_.back().energy + rounding_);
}

void BestState::add_to_pool(TrialResult state) {
  const auto same = [&](const TrialResult& other) { return other.solution == state.solution; };
  if (!state.feasible || std::any_of(pool_.begin(), pool_.end(), same)) return;
  const auto place = std::upper_bound(
      pool_.begin(), pool_.end(), state.energy,
      [](double energy, const TrialResult& other) { return energy < other.energy; });
  pool_.insert(place, std::move(state));
  if (pool_.size() > keep_) pool_.pop_back();
}

void BestState::offer_judged(const TrialResult& state) {
  if (keep_ > 1 && state.feasible && pool_wants(state.energy)) add_to_pool(state);
  if (better(state, best_)) best_ = state;
}

void BestState::offer_state(std::span<const Spin> physical, double device_f, std::uint64_t sweep) {
  if (keep_ > 1 && pool_wants(device_f)) add_to_pool(judge_(physical, sweep));
  if (promising(device_f)) judge_or_note(physical, device_f, sweep);
}

bool BestState::worth_judging(const Note& note, std::uint64_t sweep) const {
  if (!best_.feasible) return true;
  if (target_ && note.device_f <= *target_ + rounding_) return true;
  const double searched = kReplicas * static_cast<double>(embedding_->pbits()) *
                          static_cast<double>(sweep - judged_at_);
  return searched >= static_cast<double>(embedding_->model.f.couplings.size());
}

void BestState::judge_or_note(std::span<const Spin> physical, double device_f,
                              std::uint64_t sweep) {
  if (!later_) {
    judge(physical, device_f, sweep);
    return;
  }
  if (note_ && !(device_f < note_->device_f)) return;
  note_ = Note{{physical.begin(), physical.end()}, device_f, sweep};
  if (!worth_judging(*note_, sweep)) return;
  settle();
  judged_at_ = sweep;
}

void BestState::settle() {
  if (!note_) return;
  const Note note = *std::exchange(note_, std::nullopt);
  judge(note.physical, note.device_f, note.sweep);
}

bool BestState::judge(std::span<const Spin> physical, double device_f, std::uint64_t sweep) {
  TrialResult state = judge_(physical, sweep);
  const bool feasible = state.feasible;
  if (feasible) {
    rounding_ = std::max(rounding_, std::abs(device_f - state.energy));
    if (seen_.size() >= kRemembered) seen_.clear();
    seen_.insert(device_f);
  }
  if (better(state, best_)) best_ = std::move(state);
  return feasible;
}

}  // namespace chainmail
