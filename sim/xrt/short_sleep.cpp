// Part of the preload library for XRT host programs under emulation. Debian's libxrt_hwemu sleeps a
// fixed ten seconds while a device starts and one second per wait; our device needs neither. Sleeps
// of that library, and of no other code, are cut to a tenth of a millisecond.
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep is POSIX, not C
#include <unistd.h>

#include "xrt/preload.hpp"

namespace {

constexpr long short_ns = 100'000;

void pause_for(const timespec& wanted) {
  timespec left = wanted;
  nanosleep(&left, nullptr);
}

}  // namespace

extern "C" unsigned sleep(unsigned seconds) {
  const bool shim = chainmail::emu::is_shim(__builtin_return_address(0));
  pause_for(shim ? timespec{0, short_ns} : timespec{static_cast<time_t>(seconds), 0});
  return 0;
}

extern "C" int usleep(useconds_t micros) {
  const long wanted = static_cast<long>(micros % 1'000'000) * 1000;
  if (chainmail::emu::is_shim(__builtin_return_address(0)) && micros > 100)
    pause_for({0, short_ns});
  else
    pause_for({static_cast<time_t>(micros / 1'000'000), wanted});
  return 0;
}
