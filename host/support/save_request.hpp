// A request for a checkpoint from outside (SIGUSR1, which schedulers send before they end a job): a
// signal may come at any time, so it sets a flag that the run checks between rounds.
#pragma once

#include <atomic>

namespace chainmail {

inline std::atomic<bool> checkpoint_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// True once for each request.
inline bool take_checkpoint_request() {
  return checkpoint_requested.exchange(false);
}

}  // namespace chainmail
