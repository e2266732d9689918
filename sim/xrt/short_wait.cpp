// Part of the preload library: condition waits that end by themselves. XRT's scheduler counts a new
// command and signals it without the lock under which its thread looks for commands and goes to
// sleep, so the signal may fall between the two and be lost; a run then waits until another is
// started. A wait may end without a signal (POSIX), so this one does: at once, in a thread that
// talked to the device a moment ago and will be needed again soon, otherwise after a few
// milliseconds.
#include <pthread.h>

#include <ctime>

#include "support/eager_wait.hpp"
#include "xrt/preload.hpp"

namespace {

constexpr long longest_ns = 5'000'000, second_ns = 1'000'000'000;

}  // namespace

extern "C" int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  using namespace chainmail;
  if (EagerWait::Clock::now() < emu::last_call + std::chrono::microseconds(200)) {
    pthread_mutex_unlock(mutex);
    const bool again = EagerWait().again();
    pthread_mutex_lock(mutex);
    if (again) return 0;
  }
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += longest_ns;
  if (until.tv_nsec >= second_ns) {
    until.tv_nsec -= second_ns;
    ++until.tv_sec;
  }
  pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &until);
  return 0;
}
