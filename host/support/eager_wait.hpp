// Polling for a moment before going to sleep. Waking a thread on another processor takes tens of
// microseconds in a virtual machine, as long as a whole burst; so a thread that expects an answer
// soon polls, and yields the processor in between. That is free while nobody else wants the
// processor. When somebody does, a yield lasts until the scheduler's next tick; then sleeping is
// better, because a woken sleeper goes first.
#pragma once

#include <poll.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>

namespace chainmail {

class EagerWait {
 public:
  using Clock = std::chrono::steady_clock;
  explicit EagerWait(std::chrono::microseconds patience = std::chrono::microseconds(200))
      : last_(Clock::now()), until_(last_ + patience) {}

  // Whether others want the processors, as one of this process's threads has noticed recently.
  bool crowded() const { return last_ < crowded_until.load(std::memory_order_relaxed); }

  // Lets others run; false when it is time to sleep.
  bool again() {
    if (crowded()) return false;
    const long before = switches();
    sched_yield();
    const auto now = Clock::now();
    // Without a context switch it was the hypervisor that took the processor away.
    if (now - last_ > std::chrono::milliseconds(1) && switches() != before) note_crowd(now);
    last_ = now;
    return now < until_;
  }

 private:
  // Still crowded at the next check: check less often.
  static void note_crowd(Clock::time_point now) {
    const bool still = now - crowded_until.load() < std::chrono::milliseconds(10);
    const auto pause = still ? std::min<std::chrono::milliseconds>(2 * crowd_pause.load(),
                                                                   std::chrono::milliseconds(1280))
                             : std::chrono::milliseconds(20);
    crowd_pause = pause;
    crowded_until = now + pause;
  }
  static long switches() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
  }

  static inline std::atomic<Clock::time_point> crowded_until{};
  static inline std::atomic<std::chrono::milliseconds> crowd_pause{};
  Clock::time_point last_, until_;
};

// poll(2), busy waiting at first.
inline int eager_poll(pollfd* watched, nfds_t count, int timeout_ms) {
  EagerWait wait;
  do {
    if (const int ready = poll(watched, count, 0); ready != 0) return ready;
  } while (timeout_ms != 0 && wait.again());
  return poll(watched, count, timeout_ms);
}

}  // namespace chainmail
