// Part of the preload library for XRT host programs under emulation. The shim asserts when its
// device dies under a call, which would end the program before anyone could say what happened.
// Waiting a moment lets our worker's guardian report the device's end and tidy up first.
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep is POSIX, not C

#include <cstdio>
#include <cstdlib>

// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library's own name, to stand in for it
extern "C" [[noreturn]] void __assert_fail(const char* assertion, const char* file, unsigned line,
                                           const char* function) noexcept {
  timespec moment{0, 500'000'000};
  nanosleep(&moment, nullptr);
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, assertion);
  std::abort();
}
