// Part of the preload library: what PCIe and the driver of a real card cost a host program. A
// buffer copy blocks its caller for a while; a launch reaches the compute unit some time after it
// was requested, while the caller continues. Both come from the environment, in microseconds:
//   CHAINMAIL_EMU_SYNC_US    a bo.sync, whatever its size; those of several threads overlap
//   CHAINMAIL_EMU_LAUNCH_US  from run.start() to the unit; a unit that is still at work by then
//                            hides it, so a run that was queued early enough starts at once
// They are applied at XRT's own interface, outside all its locks: a copy delays nobody else.
#include <time.h>  // NOLINT(modernize-deprecated-headers): clock_nanosleep is POSIX, not C
#include <xrt/xrt_bo.h>
#include <xrt/xrt_kernel.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include "xrt/preload.hpp"

namespace chainmail::emu {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// A sleep overshoots by about this; the rest is busy waiting.
constexpr microseconds oversleep(80);

microseconds from_environment(const char* name) {
  const char* value = std::getenv(name);
  return microseconds(value == nullptr ? 0 : std::atoll(value));
}

void wait_until(Clock::time_point end) {
  const auto left = end - Clock::now() - oversleep;
  if (left > microseconds(0)) std::this_thread::sleep_for(left);
  while (Clock::now() < end) {
  }
}

constexpr const char* start_symbol = "_ZN3xrt3run5startEv";
constexpr const char* state_symbol = "_ZNK3xrt3run5stateEv";
constexpr const char* wait_symbol =
    "_ZNK3xrt3run4waitERKNSt6chrono8durationIlSt5ratioILl1ELl1000EEEE";
constexpr const char* packet_symbol = "_ZNK3xrt3run14get_ert_packetEv";
constexpr const char* sync_symbol = "_ZN3xrt2bo4syncE18xclBOSyncDirectionmm";

// Launches in flight, each really started when it arrives.
class Underway {
 public:
  explicit Underway(microseconds delay) : delay_(delay) {
    std::thread([this] { deliver(); }).detach();  // lives as long as the program
  }
  void add(const xrt::run& run) {
    const std::lock_guard lock(mutex_);
    launches_.push_back({run, packet_of(run), Clock::now() + delay_, false});
    changed_.notify_all();
  }
  // Whether it has not been started yet; from then on XRT knows its state, and it may have ended
  // before start() is back.
  bool holds(const xrt::run& run) {
    const std::lock_guard lock(mutex_);
    const void* packet = packet_of(run);
    return std::any_of(launches_.begin(), launches_.end(), [&](const Launch& launch) {
      return launch.packet == packet && !launch.arrived;
    });
  }
  void wait_for(const xrt::run& run) {
    std::unique_lock lock(mutex_);
    const void* packet = packet_of(run);
    while (held(packet)) changed_.wait(lock);
  }

 private:
  struct Launch {
    xrt::run run;
    const void* packet;
    Clock::time_point arrival;
    bool arrived = false;
  };

  // A run's command packet: what all of its copies share.
  static const void* packet_of(const xrt::run& run) {
    static auto* const real = real_function<ert_packet*(const xrt::run*)>(packet_symbol);
    return real(&run);
  }
  bool held(const void* packet) const {
    return std::any_of(launches_.begin(), launches_.end(),
                       [&](const Launch& launch) { return launch.packet == packet; });
  }
  void deliver() {
    static auto* const real_start = real_function<void(xrt::run*)>(start_symbol);
    std::unique_lock lock(mutex_);
    for (;;) {
      while (launches_.empty()) changed_.wait(lock);
      Launch& next = launches_.front();  // stays valid: only this thread removes
      lock.unlock();
      wait_until(next.arrival);
      lock.lock();
      next.arrived = true;
      lock.unlock();
      real_start(&next.run);
      lock.lock();
      launches_.pop_front();
      changed_.notify_all();
    }
  }

  microseconds delay_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Launch> launches_;
};

Underway* underway() {
  static auto* const only = [] {
    const microseconds delay = from_environment("CHAINMAIL_EMU_LAUNCH_US");
    return delay > microseconds(0) ? new Underway(delay) : nullptr;
  }();
  return only;
}

}  // namespace

}  // namespace chainmail::emu

// XRT's own names, which these replace.
using namespace chainmail::emu;

void xrt::run::start() {
  static auto* const real = real_function<void(xrt::run*)>(start_symbol);
  if (Underway* const launches = underway())
    launches->add(*this);
  else
    real(this);
}

ert_cmd_state xrt::run::state() const {
  static auto* const real = real_function<ert_cmd_state(const xrt::run*)>(state_symbol);
  Underway* const launches = underway();
  return launches != nullptr && launches->holds(*this) ? ERT_CMD_STATE_QUEUED : real(this);
}

ert_cmd_state xrt::run::wait(const std::chrono::milliseconds& timeout) const {
  static auto* const real =
      real_function<ert_cmd_state(const xrt::run*, const std::chrono::milliseconds&)>(wait_symbol);
  if (Underway* const launches = underway()) launches->wait_for(*this);
  return real(this, timeout);
}

void xrt::bo::sync(xclBOSyncDirection direction, size_t size, size_t offset) {
  static const microseconds delay = from_environment("CHAINMAIL_EMU_SYNC_US");
  static auto* const real =
      real_function<void(xrt::bo*, xclBOSyncDirection, size_t, size_t)>(sync_symbol);
  const auto end = Clock::now() + delay;
  real(this, direction, size, offset);
  if (delay > microseconds(0)) wait_until(end);
}
