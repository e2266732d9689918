// A wish for a checkpoint from outside (SIGUSR1, as schedulers send it before they end a job): a
// signal may come at any time, so it leaves a mark and the run looks at it between two rounds.
#pragma once

#include <atomic>

namespace chainmail {

inline std::atomic<bool> checkpoint_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// True once for each wish.
inline bool take_checkpoint_request() {
  return checkpoint_requested.exchange(false);
}

}  // namespace chainmail
