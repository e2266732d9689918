// Finds how cold the coldest row must be, during the run. Descents from its states show how much
// energy beta still leaves in them; if that is more than the number of p-bits explains, the ladder
// ends too hot and its rows are spread further. Checks become less and less frequent, so that the
// run between them has fixed parameters.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace chainmail {

class ColdEnd {
 public:
  static constexpr double kColder = 1.25;      // a step of the coldest beta
  static constexpr double kMost = 64.0;        // of the ladder's own
  static constexpr std::uint64_t kFirst = 64;  // sweeps; later rounds are twice as long each
  static constexpr double kShare = 0.3;        // of the root of the number of p-bits

  // A descent from the coldest row: beta times the energy it lost.
  void add(double shed) {
    state_.sum += shed;
    ++state_.count;
  }

  // After a burst. True when the rows have to be spread further now.
  bool colder(std::uint64_t sweeps, std::size_t pbits) {
    if (sweeps < state_.next_check || state_.count == 0) return false;
    const double mean = state_.sum / static_cast<double>(state_.count);
    const double most = std::max(1.0, kShare * std::sqrt(static_cast<double>(pbits)));
    const bool now = mean > most && state_.factor * kColder <= kMost;
    if (now) state_.factor *= kColder;
    state_.round *= 2;
    state_.next_check += state_.round;
    state_.sum = 0.0;
    state_.count = 0;
    return now;
  }
  double factor() const { return state_.factor; }

  struct State {
    std::uint64_t next_check = kFirst, round = kFirst, count = 0;
    double sum = 0.0, factor = 1.0;
  };
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  State state_;
};

}  // namespace chainmail
