// The worker leads a session and process group of its own. Whatever XRT starts (shells, unzip, the
// device program) stays in that group, so one signal ends all of it. Its output comes through a
// pipe that is emptied whenever we wait: XRT is talkative, and the end of what it says is the best
// explanation of a failure.
#include "device/xrt/worker_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "support/coverage.hpp"
#include "support/eager_wait.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t printed_kept = 16'384;

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) merged.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    merged.push_back(name);
    merged.back().append("=").append(value);
  }
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// These run between fork and exec: only calls that are safe there.
void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(127);
}

[[noreturn]] void become(const char* folder, const char* program, char* const* environment,
                         int socket, int output) {
  setsid();
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  // The socket may itself be descriptor 3: dup2 would then keep its close-on-exec flag.
  if (socket == xrt_worker::worker_socket)
    fcntl(socket, F_SETFD, 0);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  else
    dup2(socket, xrt_worker::worker_socket);
  close_range(xrt_worker::worker_socket + 1, ~0U, 0);
  char* const arguments[] = {const_cast<char*>(program), nullptr};
  keep_coverage();
  if (chdir(folder) == 0) execve(program, arguments, environment);
  const int reason = errno;
  say("chainmail: cannot run ");
  say(program);
  say(": ");
  say(strerrordesc_np(reason));
  if (reason == EACCES) say(" (programs may not run there; set TMPDIR to another folder)");
  say("\n");
  keep_coverage();
  _exit(127);
}

// XRT reports any failure of unzip as a permission problem.
std::string explained(const std::string& line) {
  const std::string mark = "error code ";
  const std::size_t at = line.find(mark);
  if (line.find("unzip -q") == std::string::npos || at == std::string::npos) return line;
  switch (std::atoi(line.c_str() + at + mark.size()) / 256) {  // its exit code
    case 9:                                                    // the archive is cut short
    case 50:
      return "no space left in the run folder to unpack the device program (TMPDIR says where)";
    case 127:
      return "unzip is not installed";
    default:
      return line;
  }
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1'000'000));
}

}  // namespace

std::string find_companion(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<fs::path> folders{here, here.parent_path(), here.parent_path() / "lib/chainmail"};
  // In another program this code is in the shared library: what was installed with it is next to
  // it. (A program that was found by PATH gives its bare name, which must not mean the current
  // folder.)
  Dl_info library{};
  if (dladdr(reinterpret_cast<void*>(&find_companion), &library) != 0 &&
      std::strchr(library.dli_fname, '/') != nullptr) {
    const fs::path near = fs::weakly_canonical(library.dli_fname, ignored).parent_path();
    folders.insert(folders.end(), {near, near / "chainmail", near.parent_path() / "chainmail"});
  }
  std::string looked_in;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / name, ignored)) return (folder / name).string();
    looked_in += (looked_in.empty() ? "" : ", ") + folder.string();
  }
  throw DeviceError(name + " not found in " + looked_in +
                    " (from source: `make all xclbin-emu` with libxrt-dev; Debian package: "
                    "chainmail-xrt)");
}

WorkerProcess::WorkerProcess(const RunFolder& folder, const std::string& program,
                             const std::map<std::string, std::string>& environment) {
  int sockets[2] = {-1, -1}, output[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 ||
      pipe2(output, O_CLOEXEC) != 0) {
    const int why = errno;
    for (int end : sockets)
      if (end >= 0) close(end);  // or none would be left for cleaning up
    throw DeviceError(std::string("cannot start the XRT worker: ") + std::strerror(why));
  }
  std::vector<std::string> variables = merged_environment(environment);
  const std::vector<char*> variable_pointers = pointers(variables);
  process_ = fork();
  if (process_ == 0)
    become(folder.path().c_str(), program.c_str(), variable_pointers.data(), sockets[1], output[1]);
  const int reason = errno;
  close(sockets[1]);
  close(output[1]);
  socket_ = sockets[0];
  output_ = output[0];
  fcntl(output_, F_SETFL, O_NONBLOCK);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  fcntl(socket_, F_SETFL, O_NONBLOCK);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  if (process_ < 0) {
    close(socket_);
    close(output_);
    throw DeviceError(std::string("cannot start the XRT worker: ") + std::strerror(reason));
  }
}

WorkerProcess::~WorkerProcess() {
  kill_all();
  close(socket_);
  close(output_);
}

void WorkerProcess::dismiss() {
  xrt_worker::PacketWriter goodbye(xrt_worker::Kind::close);
  if (send(goodbye.seal(), Clock::now() + std::chrono::seconds(1)))
    wait_for_end(std::chrono::seconds(2));
}

void WorkerProcess::kill_all() {
  if (process_ <= 0) return;
  // The group first: while its leader is not yet reaped, the number cannot belong to others.
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);  // in case it had not become a leader yet
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

void WorkerProcess::wait_for_end(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  siginfo_t info{};
  do {
    drain();
    info.si_pid = 0;
    if (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != 0)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (Clock::now() < deadline);
}

void WorkerProcess::drain() {
  const std::lock_guard lock(printing_);
  char chunk[4096];
  for (;;) {
    const ssize_t got = ::read(output_, chunk, sizeof chunk);
    if (got <= 0) break;
    printed_.append(chunk, static_cast<std::size_t>(got));
  }
  if (printed_.size() > 2 * printed_kept) printed_.erase(0, printed_.size() - printed_kept);
}

std::string WorkerProcess::complaint() {
  drain();
  const std::lock_guard lock(printing_);
  std::string best;
  std::size_t at = 0;
  while (at < printed_.size()) {
    const std::size_t end = std::min(printed_.find('\n', at), printed_.size());
    const std::string line = printed_.substr(at, end - at);
    at = end + 1;
    for (const char* telling : {"chainmail", "rror", "ERROR", "cannot", "No space", "disk full"})
      if (line.find(telling) != std::string::npos) best = line;
  }
  return explained(best);
}

bool WorkerProcess::extract(xrt_worker::Packet& packet) {
  xrt_worker::Header header;
  if (incoming_.size() < sizeof header) return false;
  std::memcpy(&header, incoming_.data(), sizeof header);
  if (incoming_.size() - sizeof header < header.size) return false;
  packet.kind = static_cast<xrt_worker::Kind>(header.kind);
  packet.body = incoming_.substr(sizeof header, header.size);
  incoming_.erase(0, sizeof header + header.size);
  return true;
}

WorkerProcess::Outcome WorkerProcess::receive(xrt_worker::Packet& packet,
                                              Clock::time_point deadline) {
  char chunk[65'536];
  bool printing = true;
  while (!extract(packet)) {
    pollfd watched[2] = {{socket_, POLLIN, 0}, {printing ? output_ : -1, POLLIN, 0}};
    const int ready = eager_poll(watched, 2, milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR) return Outcome::gone;
    if (ready == 0 && Clock::now() >= deadline) return Outcome::late;
    if (ready <= 0) continue;
    if (watched[1].revents != 0) {
      drain();
      printing = (watched[1].revents & POLLHUP) == 0;
    }
    if (watched[0].revents == 0) continue;
    const ssize_t got = recv(socket_, chunk, sizeof chunk, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) return Outcome::gone;
    incoming_.append(chunk, static_cast<std::size_t>(got));
  }
  return Outcome::packet;
}

bool WorkerProcess::send(std::string_view packet, Clock::time_point deadline) {
  while (!packet.empty()) {
    const ssize_t sent = ::send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      packet.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return false;
    pollfd watched[2] = {{socket_, POLLOUT, 0}, {output_, POLLIN, 0}};
    if (poll(watched, 2, milliseconds_until(deadline)) == 0) return false;
    if (watched[1].revents != 0) drain();
  }
  return true;
}

}  // namespace chainmail
