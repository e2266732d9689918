// Lets a run stop the search for its ladder early, and see the states it comes across.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "device/device.hpp"
#include "support/error.hpp"

namespace chainmail {

struct TuningWatch {
  std::function<bool()> keep_going = {};  // asked after every burst; none: always
  // Shown bursts of grid 0, so that a good state of the pilot's is not lost.
  std::function<void(const BurstResult&, Device&)> look = {};

  // Throws TuningStopped when it is time.
  void after_burst() const;
  void show(const BurstResult& burst, Device& device) const {
    if (look) look(burst, device);
  }
};

struct TuningStopped : InputError {
  TuningStopped() : InputError("stopped while tuning the ladder: no answer yet") {}
};

inline void TuningWatch::after_burst() const {
  if (keep_going && !keep_going()) throw TuningStopped();
}

// Sweeps of one burst, at most: a burst cannot be ended early, so long ones are cut into pieces of
// a fraction of a second. By the model's size alone, so that results repeat. A few replicas take as
// long as a vector of them.
inline std::uint64_t most_sweeps(std::size_t pbits, std::size_t replicas) {
  constexpr std::uint64_t kUpdates = 20'000'000, kLanes = 16;
  const std::uint64_t updates = pbits * std::max<std::uint64_t>(replicas, kLanes);
  return std::max<std::uint64_t>(1, kUpdates / std::max<std::uint64_t>(1, updates));
}

}  // namespace chainmail
