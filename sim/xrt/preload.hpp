// Shared by the files of the preload library.
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstring>

namespace chainmail::emu {

// Threads that wait for any mutex (fair_mutex.cpp).
extern std::atomic<int> lock_waiters;

// Set while a thread should not let others in: it has just heard from the device, which may be
// waiting for its reaction (fast_calls.cpp).
extern thread_local bool in_a_hurry;
// When this thread last called the device.
extern thread_local std::chrono::steady_clock::time_point last_call;

template <class Function>
Function* real_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

inline bool is_shim(const void* caller) {
  Dl_info where{};
  return dladdr(caller, &where) != 0 && where.dli_fname != nullptr &&
         std::strstr(where.dli_fname, "libxrt_hwemu") != nullptr;
}

}  // namespace chainmail::emu
