// Registers and memory are two buses, and only each of them keeps its order: what is written to the
// memory is there when a later read of the memory has come back, so a call is started after such a
// read. A board that has once been late stays lost: its call may end at any time, and must not be
// taken for the end of another one.
#include "device/bar/bar_port.hpp"

#include <fmt/format.h>

#include <bit>
#include <thread>

#include "device/kernel/identify.hpp"
#include "support/eager_wait.hpp"
#include "support/error.hpp"
#include "topology/bar_window.hpp"

namespace chainmail {

using namespace contract;
using bar_window::row_aligned;

namespace {

constexpr std::uint32_t kStart = 1, kDone = 2, kIdle = 4;
constexpr std::uint32_t kNothing = 0xffff'ffff;  // what a bus reads where nobody answers
constexpr std::size_t kRegisterBytes = bar_window::kMarkBase + 4096;
constexpr std::size_t kReads = 4;  // of a burst besides results: flush, poll, two words of status

}  // namespace

// Where the parts of a call are in the memory, each at a row of its own.
struct BarPort::Layout {
  explicit Layout(const KernelCall& call) {
    const std::size_t sizes[] = {call.status.size(),  call.parameters.size(), call.spins.size(),
                                 call.results.size(), call.best.size(),       call.tables.size()};
    std::size_t* const places[] = {&status, &parameters, &spins, &results, &best, &tables};
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
      *places[i] = end;
      end += row_aligned(sizes[i]);
    }
  }
  std::size_t status = 0, parameters = 0, spins = 0, results = 0, best = 0, tables = 0, end = 0;
};

BarPort::BarPort(const BarBoard& board, double timeout)
    : name_(board.name), timeout_(timeout), registers_(board.registers, kRegisterBytes, true) {
  identify();
  memory_.emplace(board.memory, memory_bytes_, false);
  // A program that was killed may have left a call.
  wait_for(kIdle, "the call that an earlier program has left");
  KernelCall call;
  call.status = status_;
  call.flags = kDescribe;
  run(call);
  topology_ = topology_of(status_, name_);
  if (memory_bytes_ < bar_window::memory_bytes(topology_))
    fail(fmt::format("has {} bytes of memory, kernel {} needs {}: build both from the same sources",
                     memory_bytes_, topology_.name, bar_window::memory_bytes(topology_)));
  if (board.read_us > 0) {
    costs_.emplace();
    costs_->launch_us = kReads * board.read_us;
    costs_->replica_us = 2 * board.read_us;  // its results
    costs_->clock_hz = 1e6 * mhz_;
    costs_->overlaps = false;
  }
}

void BarPort::fail(const std::string& what) {
  lost_ = name_ + ": " + what;
  throw DeviceError(lost_);
}

void BarPort::identify() {
  std::array<std::uint32_t, 4> mark{};
  for (std::size_t i = 0; i < mark.size(); ++i)
    mark[i] = registers_.register_at(bar_window::kMarkBase + 4 * i);
  if (mark[0] == kNothing)
    fail("the bus reads all ones: no design is loaded, or its memory space is disabled");
  if (mark[0] != bar_window::kMark)
    fail(fmt::format("no kernel of ours: {:#010x} at {:#x}, expected {:#010x}", mark[0],
                     bar_window::kMarkBase, bar_window::kMark));
  if (mark[1] != bar_window::kVersion)
    fail(fmt::format("version {} of the windows, expected {}: build both from the same sources",
                     mark[1], bar_window::kVersion));
  memory_bytes_ = mark[2];
  mhz_ = mark[3];
  if (!std::has_single_bit(memory_bytes_) || memory_bytes_ < 4096)
    fail(fmt::format("says it has {} bytes of memory, expected a power of two from 4096",
                     memory_bytes_));
}

std::string BarPort::describe() const {
  return fmt::format("{}, kernel {} at {} MHz", name_, topology_.name, mhz_);
}

void BarPort::start(std::size_t lane, const KernelCall& call) {
  // Deferred to finish() if the system allows no more threads.
  running_[lane] =
      std::async(std::launch::async | std::launch::deferred, [this, call] { run(call); });
}

void BarPort::finish(std::size_t lane) {
  running_.at(lane).get();
}

void BarPort::run(const KernelCall& call) {
  const std::lock_guard lock(busy_);
  if (!lost_.empty()) throw DeviceError(lost_);
  const Layout at(call);
  if (at.end > memory_bytes_)
    throw DeviceError(
        fmt::format("{}: a call of {} bytes, its memory has {}", name_, at.end, memory_bytes_));
  copy_in(call, at);
  start_kernel(call, at);
  wait_for(kDone, "the call");
  copy_out(call, at);
}

void BarPort::copy_in(const KernelCall& call, const Layout& at) {
  const bool burst = (call.flags & (kDescribe | kNoBurst)) == 0;
  if (burst) memory_->write(at.parameters, call.parameters);
  if ((call.flags & kLoadSpins) != 0) memory_->write(at.spins, call.spins);
  if ((call.flags & kLoadTables) != 0) memory_->write(at.tables, call.tables);
  // Blank, as a kernel that cannot reach its memory leaves it; and the read behind all writes.
  std::array<std::uint64_t, kStatusWords / 2> blank{};
  memory_->write(at.status, blank);
  memory_->read(at.status, blank);
  if (blank != decltype(blank){}) fail("its memory does not keep what is written to it");
}

void BarPort::start_kernel(const KernelCall& call, const Layout& at) {
  const auto set = [&](std::uint32_t offset, std::uint64_t value, bool wide) {
    registers_.set_register(offset, static_cast<std::uint32_t>(value));
    if (wide) registers_.set_register(offset + 4, static_cast<std::uint32_t>(value >> 32));
  };
  set(offset_of("tables"), at.tables, true);
  set(offset_of("parameters"), at.parameters, true);
  set(offset_of("spins"), at.spins, true);
  set(offset_of("best"), at.best, true);
  set(offset_of("results"), at.results, true);
  set(offset_of("status"), at.status, true);
  set(offset_of("first"), call.first, false);
  set(offset_of("replicas"), call.replicas, false);
  set(offset_of("sweeps"), call.sweeps, false);
  set(offset_of("flags"), call.flags, false);
  set(offset_of("seed"), call.seed, true);
  set(kControl, kStart, false);
}

void BarPort::wait_for(std::uint32_t bit, const std::string& what) {
  const auto end = EagerWait::Clock::now() + timeout_;
  EagerWait wait;
  for (;;) {
    const bool late = EagerWait::Clock::now() > end;  // before the last look
    const std::uint32_t control = registers_.register_at(kControl);
    if (control == kNothing) fail("the bus reads all ones: the board was reset, or lost");
    if ((control & bit) != 0) return;
    if (late)
      fail(
          fmt::format("{} has not ended within {:.3g} s (--device-timeout must exceed the time of "
                      "a burst; where a board hangs, load its design again)",
                      what, timeout_.count()));
    if (!wait.again()) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void BarPort::copy_out(const KernelCall& call, const Layout& at) {
  const auto word = [&](std::size_t index) {
    std::uint64_t value = 0;
    memory_->read(at.status + 8 * index, {&value, 1});
    return value;
  };
  const std::uint64_t magic = word(kWordMagic / 2);
  if (static_cast<std::uint32_t>(magic) != kMagic)
    fail("the kernel ended without a status block: it could not reach its memory");
  if ((call.flags & kDescribe) != 0) {
    memory_->read(at.status, call.status);
    return;
  }
  // A read takes a microsecond: of the block only what can differ between calls.
  std::copy(status_.begin(), status_.end(), call.status.begin());
  const std::uint64_t code = word(kWordCode / 2);
  call.status[kWordCode / 2] = code;
  if (static_cast<std::uint32_t>(code) != kOk) return;
  if ((call.flags & kNoBurst) == 0) memory_->read(at.results, call.results);
  if ((call.flags & kStoreSpins) != 0) memory_->read(at.spins, call.spins);
  if ((call.flags & kStoreBest) != 0) memory_->read(at.best, call.best);
}

}  // namespace chainmail
