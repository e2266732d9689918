// Watches whether the answer replica stays feasible. A short pilot may see no violation where a
// long run later finds states for which one pays; the penalty of the answer's column is then
// raised. The checks become less and less frequent, so that the run between them has fixed
// parameters.
#pragma once

#include <cstdint>

namespace chainmail {

class FeasibilityWatch {
 public:
  static constexpr double kWanted = 0.99;        // share of rounds with g = 0
  static constexpr double kRaise = 1.1;          // of the penalty, at a failed check
  static constexpr double kMost = 1.331;         // of the ladder's penalty, after three raises
  static constexpr std::uint64_t kFirst = 1000;  // sweeps; later checks at its doubles

  // The answer replica after a swap round. True when the penalty has to be raised now.
  bool raise(std::uint64_t sweeps, bool feasible) {
    if (sweeps <= kFirst / 2) return false;  // still relaxing
    ++state_.rounds;
    if (feasible) ++state_.feasible;
    if (sweeps < state_.next_check) return false;
    const bool short_of =
        static_cast<double>(state_.feasible) < kWanted * static_cast<double>(state_.rounds);
    const bool now = short_of && state_.factor * kRaise < kMost * 1.0001;
    if (now) state_.factor *= kRaise;
    state_.next_check = 2 * sweeps;
    state_.rounds = state_.feasible = 0;
    return now;
  }
  double factor() const { return state_.factor; }

  struct State {
    std::uint64_t next_check = kFirst, rounds = 0, feasible = 0;  // since the last check
    double factor = 1.0;                                          // on the answer's penalty
  };
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  State state_;
};

}  // namespace chainmail
