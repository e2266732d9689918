#include "device/group/launched.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "device/group/mpi_calls.hpp"
#include "device/group/remote_device.hpp"
#include "device/xrt/worker_process.hpp"
#include "support/coverage.hpp"
#include "support/eager_wait.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

constexpr const char* kLibrary = "libchainmail_mpi.so";
constexpr int kDeviceFault = 3;
constexpr int kJoinSeconds = 120;
constexpr std::chrono::seconds kLeaveLimit{20}, kLastChance{3};

class MpiChannel final : public Channel {
 public:
  MpiChannel(const MpiCalls& calls, int rank) : calls_(calls), rank_(rank) {}

  void send(Message message, double seconds) override {
    void* handle = calls_.send(rank_, message.data(), message.size());
    const auto sent = [&] {
      const int state = handle == nullptr ? -1 : calls_.sent(handle);
      if (state < 0) fail(fmt::format("rank {} cannot be reached", rank_));
      return state == 1;
    };
    try {
      await(sent, seconds);
    } catch (const DeviceError&) {
      if (handle != nullptr) stuck().push_back(std::move(message));
      throw;
    }
  }
  Message receive(double seconds) override {
    await([&] { return ready(); }, seconds);
    return received(waiting_, [&](std::span<std::byte> piece) {
      if (calls_.receive(rank_, piece.data(), piece.size()) != 0) {
        fail(fmt::format("rank {} sent an invalid message", rank_));
      }
    });
  }
  bool ready() override { return calls_.waiting(rank_, &waiting_) == 1; }
  // Whether it ever failed to do so.
  bool failed() const { return failed_; }

 private:
  // MPI may still read what it could not send.
  static std::deque<Message>& stuck() {
    static std::deque<Message> all;
    return all;
  }
  [[noreturn]] void fail(const std::string& why) {
    failed_ = true;
    throw DeviceError(why);
  }
  template <class Done>
  void await(const Done& done, double seconds) {
    const auto from = EagerWait::Clock::now();
    EagerWait eager;
    while (!done()) {
      if (eager.again()) continue;
      const std::chrono::duration<double> waited = EagerWait::Clock::now() - from;
      if (seconds >= 0.0 && waited.count() > seconds) {
        fail(fmt::format("rank {} has not answered in {:g} s", rank_, seconds));
      }
      // A process that has been idle for long need not react quickly.
      std::this_thread::sleep_for(
          std::chrono::microseconds(waited < std::chrono::seconds(1) ? 50 : 1000));
    }
  }

  const MpiCalls& calls_;
  int rank_;
  std::size_t waiting_ = 0;  // bytes of the next message
  bool failed_ = false;
};

int from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

// Open MPI, MPICH and Slurm set these.
bool started_together() {
  return from_environment("OMPI_COMM_WORLD_SIZE") > 1 || from_environment("PMI_SIZE") > 1 ||
         (std::getenv("PMIX_RANK") != nullptr && from_environment("SLURM_STEP_NUM_TASKS") > 1);
}

// The process that started this one; 0 of one that is gone.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text, '\0');  // which notes, and does not throw, that a process has just ended
  // A number, a name in brackets that may hold anything, a letter, the parent.
  const std::size_t after = text.rfind(") ");
  return after == std::string::npos ? 0 : std::atoi(text.c_str() + after + 4);
}

// Under `mpirun --enable-recovery` nobody ends a rank that hangs, and the launcher waits for it for
// ever. Open MPI 4 says so to its ranks; of 5 only the launcher's own command line does.
bool under_recovery() {
  const char* wanted = std::getenv("OMPI_MCA_orte_enable_recovery");
  if (wanted != nullptr) return std::string_view(wanted) == "1";
  std::ifstream command("/proc/" + std::to_string(::getppid()) + "/cmdline");
  for (std::string word; std::getline(command, word, '\0');) {
    if (word == "--enable-recovery") return true;
  }
  return false;
}

// To all that the same launcher started on this machine, but this one; how many there are.
std::size_t signal_siblings(int signal) {
  namespace fs = std::filesystem;
  std::error_code gone;
  const fs::path program = fs::read_symlink("/proc/self/exe", gone);
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", gone)) {
    const std::string name = entry.path().filename();
    pid_t process = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (fault != std::errc() || *end != '\0' || process == ::getpid()) continue;
    if (parent_of(entry.path()) != ::getppid()) continue;
    if (fs::read_symlink(entry.path() / "exe", gone) != program) continue;
    ::kill(process, signal);
    ++count;
  }
  return count;
}

// Calls `late` if what it guards takes longer: MPI has no timeouts.
class Limit {
 public:
  Limit(std::chrono::seconds most, std::function<void()> late)
      : watch_([this, most, late = std::move(late)] {
          std::unique_lock lock(mutex_);
          if (!over_.wait_for(lock, most, [this] { return done_; })) late();
        }) {}
  ~Limit() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_one();
    watch_.join();
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable over_;
  std::thread watch_;
};

// The first rank speaks for all, unless it is the one that hangs.
bool is_first() {
  return from_environment("OMPI_COMM_WORLD_RANK") == 0 && from_environment("PMI_RANK") == 0 &&
         from_environment("PMIX_RANK") == 0;
}

// Ends the program if the ranks do not connect: one that hangs as it starts keeps all others inside
// MPI.
std::chrono::seconds join_limit() {
  const int wanted = from_environment("CHAINMAIL_JOIN_SECONDS");
  return std::chrono::seconds(wanted > 0 ? wanted : kJoinSeconds) +
         (is_first() ? std::chrono::seconds(0) : kLeaveLimit);
}
void end_unjoined() {
  fmt::print(stderr,
             "chainmail: the processes that MPI started did not connect within {} s "
             "(CHAINMAIL_JOIN_SECONDS)\n",
             join_limit().count());
  if (is_first() && under_recovery()) signal_siblings(SIGKILL);
  keep_coverage();
  ::_exit(kDeviceFault);
}

// A member may be lost during shutdown, when the answer is already out. One that was stopped must
// be continued, or the launcher would wait for it for ever.
void end_unfinished(int code) {
  if (is_first() && signal_siblings(SIGCONT) > 0) {
    std::this_thread::sleep_for(kLastChance);
    signal_siblings(SIGKILL);
  }
  keep_coverage();
  ::_exit(code);
}

struct Launch {
  MpiCalls calls{};
  std::vector<std::shared_ptr<MpiChannel>> ranks;
  std::vector<std::shared_ptr<Channel>> channels;  // the same
  bool joined = false;
};
Launch& launch() {
  static Launch one;
  return one;
}

void load_library(MpiCalls& calls) {
  std::string path;
  try {
    path = find_companion(kLibrary);
  } catch (const DeviceError&) {
    throw DeviceError(fmt::format(
        "started together with others by an MPI launcher, but {} is missing (`make mpi` "
        "builds it)",
        kLibrary));
  }
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  const char* why = library == nullptr ? ::dlerror() : nullptr;
  if (why != nullptr) throw DeviceError(fmt::format("MPI cannot be used: {}", why));
  const auto entry = reinterpret_cast<MpiEntry>(::dlsym(library, kMpiEntry));
  if (entry == nullptr) throw DeviceError(path + " is of another version");
  entry(&calls);
}

int serve(const MpiCalls& calls) {
  // A signal for all ends the run through the first process, which still needs its members then.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1}) {
    std::signal(signal, SIG_IGN);
  }
  MpiChannel channel(calls, 0);
  try {
    serve_device(channel);
  } catch (const std::exception& error) {
    fmt::print(stderr, "chainmail: a member of the run failed: {}\n", error.what());
    return kDeviceFault;
  }
  return 0;
}

}  // namespace

std::optional<int> join_launch() {
  if (!started_together()) return std::nullopt;
  Launch& all = launch();
  load_library(all.calls);
  // If there are more processes than cores, Open MPI yields its time slice at every poll for a
  // message: on a busy machine that takes milliseconds each. We have our own way to wait.
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
  int rank = 0, size = 1;
  {
    const Limit limit(join_limit(), end_unjoined);
    if (all.calls.start(&rank, &size) != 0) throw DeviceError("MPI could not be started");
  }
  all.joined = true;
  if (rank > 0) return serve(all.calls);
  for (int other = 1; other < size; ++other) {
    all.ranks.push_back(std::make_shared<MpiChannel>(all.calls, other));
    all.channels.push_back(all.ranks.back());
  }
  return std::nullopt;
}

const std::vector<std::shared_ptr<Channel>>& launched_channels() {
  return launch().channels;
}

int leave_launch(int code) {
  Launch& all = launch();
  if (!all.joined) return code;
  std::fflush(nullptr);
  bool everybody = code != kDeviceFault;
  try {
    for (const auto& rank : all.ranks) {
      everybody = everybody && !rank->failed();
      // Also to one that hung: it may continue one day.
      if (code != kDeviceFault && (everybody || !under_recovery())) say_goodbye(*rank);
    }
    for (const auto& rank : all.ranks) {
      if (everybody) hear_goodbye(*rank);
    }
  } catch (const DeviceError&) {
    everybody = false;
  }
  const Limit limit(kLeaveLimit, [code] { end_unfinished(code); });
  // Waiting for a lost member never ends; nor does mpirun, after success, end while one is stopped.
  if (!everybody) signal_siblings(under_recovery() ? SIGKILL : SIGCONT);
  keep_coverage();
  all.calls.finish(everybody ? 0 : 1, code);
  // One that is stopped on its way out would keep the launcher for ever.
  while (is_first() && signal_siblings(0) > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return code;
}

}  // namespace chainmail
