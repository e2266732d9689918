#include "guardian.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include "support/coverage.hpp"

namespace chainmail::xrt_worker {

namespace {

constexpr int look_every_ms = 20;

// Ends this process and all that XRT has started.
[[noreturn]] void end_group() {
  keep_coverage();
  kill(0, SIGKILL);
  _exit(1);
}

}  // namespace

Guardian::Guardian(int socket) {
  std::thread([this, socket] { watch(socket); }).detach();
}

void Guardian::watch(int socket) {
  for (;;) {
    pollfd driver{socket, POLLRDHUP, 0};
    if (poll(&driver, 1, look_every_ms) > 0) {
      // The driver was killed, or it would have sent close: nobody else cleans up.
      std::error_code ignored;
      std::filesystem::remove_all(std::filesystem::current_path(ignored), ignored);
      end_group();
    }
    siginfo_t child{};
    if (armed_ && waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0 && child.si_pid != 0 &&
        armed_) {
      const bool killed = child.si_code != CLD_EXITED;
      std::fprintf(stderr, "chainmail-xrt: the device program ended (%s %d)\n",
                   killed ? "signal" : "exit code", child.si_status);
      end_group();
    }
  }
}

}  // namespace chainmail::xrt_worker
