// Part of the preload library: mutexes that let a waiter in. XRT's scheduler polls a running kernel
// without pause, and each poll takes the lock of the one line to the device. A plain mutex is
// retaken by the thread that has just released it long before a sleeping waiter is awake, so buffer
// copies of the next burst would starve until the running one has ended: host and device would take
// turns instead of overlapping. Here waiters poll for a while, and a thread that releases a mutex
// others wait for lets one of them in first, unless it is in a hurry.
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>

#include "support/eager_wait.hpp"
#include "xrt/preload.hpp"

namespace chainmail::emu {

std::atomic<int> lock_waiters = 0;

namespace {

using MutexFunction = int(pthread_mutex_t*);

// Waiters by mutex; two mutexes that share a counter cost a needless pause, nothing else.
std::atomic<int>& waiters_of(const pthread_mutex_t* mutex) {
  static std::array<std::atomic<int>, 256> waiters;
  return waiters[reinterpret_cast<std::uintptr_t>(mutex) / 16 % waiters.size()];
}

void stand_back(const std::atomic<int>& waiters) {
  EagerWait wait(std::chrono::microseconds(100));
  while (waiters > 0 && wait.again()) {
  }
  const timespec moment{0, 5'000};
  for (int nap = 0; nap < 4 && waiters > 0; ++nap) nanosleep(&moment, nullptr);
}

int lock_awaited(pthread_mutex_t* mutex) {
  static auto* const real_lock = real_function<MutexFunction>("pthread_mutex_lock");
  static auto* const real_trylock = real_function<MutexFunction>("pthread_mutex_trylock");
  EagerWait wait;
  do {
    if (const int result = real_trylock(mutex); result != EBUSY) return result;
  } while (wait.again());
  return real_lock(mutex);
}

}  // namespace

}  // namespace chainmail::emu

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using namespace chainmail::emu;
  static auto* const real_trylock = real_function<MutexFunction>("pthread_mutex_trylock");
  if (const int result = real_trylock(mutex); result != EBUSY) return result;
  std::atomic<int>& waiters = waiters_of(mutex);
  ++waiters;
  ++lock_waiters;
  const int result = lock_awaited(mutex);
  --lock_waiters;
  --waiters;
  return result;
}

extern "C" int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  using namespace chainmail::emu;
  static auto* const real_unlock = real_function<MutexFunction>("pthread_mutex_unlock");
  const int result = real_unlock(mutex);
  const std::atomic<int>& waiters = waiters_of(mutex);
  if (waiters > 0 && !in_a_hurry) stand_back(waiters);
  return result;
}
