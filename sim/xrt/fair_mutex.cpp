// Part of the preload library: mutexes that let a waiter in. XRT's scheduler polls a running kernel
// without pause, and each poll takes the lock of the one socket to the device. A plain mutex is
// retaken by the thread that has just released it long before a sleeping waiter is awake, so buffer
// copies of the next burst would starve until the running one has ended: host and device would take
// turns instead of overlapping. Here a thread that releases a mutex others wait for naps until one
// of them has it.
#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>

namespace {

using MutexFunction = int (*)(pthread_mutex_t*);

MutexFunction real_function(const char* name) {
  return reinterpret_cast<MutexFunction>(dlsym(RTLD_NEXT, name));
}

// Waiters by mutex; two mutexes that share a counter cost a needless nap, nothing else.
std::atomic<int>& waiters_of(const pthread_mutex_t* mutex) {
  static std::array<std::atomic<int>, 256> waiters;
  return waiters[reinterpret_cast<std::uintptr_t>(mutex) / 16 % waiters.size()];
}

constexpr int naps_max = 4;

}  // namespace

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static const MutexFunction real_lock = real_function("pthread_mutex_lock");
  static const MutexFunction real_trylock = real_function("pthread_mutex_trylock");
  if (const int result = real_trylock(mutex); result != EBUSY) return result;
  std::atomic<int>& waiters = waiters_of(mutex);
  ++waiters;
  const int result = real_lock(mutex);
  --waiters;
  return result;
}

extern "C" int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  static const MutexFunction real_unlock = real_function("pthread_mutex_unlock");
  const std::atomic<int>& waiters = waiters_of(mutex);
  const int result = real_unlock(mutex);
  for (int nap = 0; nap < naps_max && waiters > 0; ++nap) {
    const timespec moment{0, 5'000};
    nanosleep(&moment, nullptr);
  }
  return result;
}
