// Keeps the penalties of a constrained model where they search well: some, but not nearly all, of
// the cold half of the replicas are feasible. All columns move together.
#pragma once

#include <cmath>
#include <cstdint>

namespace chainmail {

class PenaltyHold {
 public:
  static constexpr std::uint64_t kLookEvery = 25;                             // sweeps
  static constexpr double kTooFew = 0.3, kTooMany = 0.9, kFarTooMany = 0.95;  // of the cold half
  // If cold states are as near to feasible as possible, equations are met only by luck: demanding a
  // share of feasible ones would raise the penalty until nothing moves.
  static constexpr double kMostScale = 4.0;

  // After a burst in which this many of the cold replicas were feasible; `one_look` are counted
  // between two decisions. True when the penalties have changed.
  template <class Near>
  bool look(std::uint64_t sweeps, std::uint64_t feasible, std::uint64_t cold,
            std::uint64_t one_look, const Near& cold_half_is_near) {
    state_.seen += cold;
    state_.feasible += feasible;
    if (sweeps < state_.next_look) return false;
    const double share = static_cast<double>(state_.feasible) / static_cast<double>(state_.seen);
    state_.next_look = sweeps + kLookEvery;
    // A few too many may be chance, and a lowered penalty stays lowered: check as many again.
    if (share > kTooMany && share < kFarTooMany && state_.seen < 2 * one_look) return false;
    state_.seen = state_.feasible = 0;
    const double step = std::sqrt(1.6);
    if (share > kTooMany) {
      state_.factor /= step;
    } else if (share < kTooFew && !(state_.factor >= kMostScale && cold_half_is_near())) {
      state_.factor *= step;
    } else {
      return false;
    }
    return true;
  }
  double factor() const { return state_.factor; }

  struct State {
    std::uint64_t next_look = kLookEvery, seen = 0, feasible = 0;  // since the last decision
    double factor = 1.0;                                           // on the ladder's penalties
  };
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  State state_;
};

}  // namespace chainmail
