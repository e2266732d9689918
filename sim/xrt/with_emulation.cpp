// chainmail-emu PROGRAM [ARGUMENTS]: runs any XRT host program with our emulated board in place of
// a real one. It sets the variables XRT needs, and afterwards removes what XRT leaves behind.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>

#include "device/xrt/emulation.hpp"
#include "device/xrt/worker_process.hpp"
#include "support/error.hpp"

namespace {

volatile std::sig_atomic_t child = 0;

extern "C" void forward(int number) {
  if (child > 0) kill(-child, number);
}

// XRT creates .run/<process> next to the program.
void remove_run_files(const std::filesystem::path& program, pid_t process) {
  std::error_code ignored;
  const auto folder = std::filesystem::canonical(program, ignored).parent_path() / ".run";
  std::filesystem::remove_all(folder / std::to_string(process), ignored);
  std::filesystem::remove(folder, ignored);  // only when empty
}

int run(char** arguments) {
  const chainmail::RunFolder folder;
  const auto variables =
      chainmail::prepare_emulation(folder, chainmail::find_companion("libchainmail_emu.so"));
  child = fork();
  if (child < 0) throw chainmail::DeviceError(std::strerror(errno));
  if (child == 0) {
    setsid();  // XRT signals its whole process group when it fails
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    execvp(arguments[0], arguments);
    std::fprintf(stderr, "chainmail-emu: %s: %s\n", arguments[0], std::strerror(errno));
    _exit(127);
  }
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, forward);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-child, SIGKILL);  // a device its host did not close
  remove_run_files(arguments[0], child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: chainmail-emu PROGRAM [ARGUMENTS]\n");
    return 2;
  }
  try {
    return run(argv + 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "chainmail-emu: %s\n", error.what());
    return 3;
  }
}
