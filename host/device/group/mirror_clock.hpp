// When the states of replicas are copied again, so that a lost member's work can continue
// elsewhere: as soon as the last copy's cost is a fiftieth of the time since, or when redoing the
// work would take long.
#pragma once

#include <chrono>
#include <cstddef>

namespace chainmail {

class MirrorClock {
 public:
  using Clock = std::chrono::steady_clock;

  bool due(std::size_t events) const { return events >= kMostEvents || Clock::now() >= due_; }
  void done(Clock::time_point begun) {
    const auto now = Clock::now();
    due_ = now + (now - begun) * kWorth;
  }

 private:
  static constexpr std::size_t kMostEvents = 4096;
  static constexpr int kWorth = 50;
  Clock::time_point due_ = Clock::now();
};

}  // namespace chainmail
