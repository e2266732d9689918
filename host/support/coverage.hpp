// Line counters of a process that ends without exit(): by a signal, by _exit() or by exec(). A
// coverage build writes its counters at exit(); all others have none.
#pragma once

#ifdef CHAINMAIL_COVERAGE
extern "C" {  // GCC's header leaves that to us
#include <gcov.h>
}
#endif

namespace chainmail {

inline void keep_coverage() {
#ifdef CHAINMAIL_COVERAGE
  __gcov_dump();
  __gcov_reset();  // and may count from zero
#endif
}

}  // namespace chainmail
