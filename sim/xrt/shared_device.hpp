// The part of an emulated board that both host and device reach, as over PCIe: the memory banks,
// and the control ports of the compute units. It is in shared memory, so that the preload library
// in the host can serve copies and register accesses without waking the device program
// (fast_calls.cpp); without the library the program's server does the same for it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "xrt/platform.hpp"

namespace chainmail::emu {

// One compute unit's control port. Host and device each write their own members only.
struct SharedUnit {  // NOLINT(clang-analyzer-optin.performance.Padding): each side its own line
  struct Write {
    std::uint32_t offset, value;
  };
  // By the host, one thread at a time.
  std::array<Write, 512> writes;  // a ring of register writes, taken by the device at a start
  std::atomic<std::uint32_t> posted;
  std::atomic<std::uint32_t> started;  // runs; the device sleeps on it
  std::uint32_t told;                  // runs whose end the host has read
  std::int64_t started_at;             // of the latest, steady clock in nanoseconds
  std::int64_t first_start, last_end, busy;
  std::array<std::int64_t, 1024> idle;  // before each of the latest runs

  // By the device.
  alignas(64) std::atomic<bool> present;  // created on first use, which only the device sees
  std::atomic<std::uint32_t> taken;
  std::atomic<std::uint32_t> ended;  // runs; the host sleeps on it
  std::uint32_t control;             // what the kernel's control register said at the latest end
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

class SharedDevice {
 public:
  explicit SharedDevice(std::chrono::nanoseconds least_duration);  // the device's: a new one
  // The host's: a device's, by its descriptor, which is taken over. Null if it is from another
  // build.
  static std::unique_ptr<SharedDevice> attach(int descriptor);
  ~SharedDevice();
  SharedDevice(const SharedDevice&) = delete;
  SharedDevice& operator=(const SharedDevice&) = delete;

  int descriptor() const { return descriptor_; }
  SharedUnit& unit(std::size_t index) const { return common_->units[index]; }
  // Minimum duration of a run.
  std::chrono::nanoseconds least_duration() const {
    return std::chrono::nanoseconds(common_->least);
  }
  // Memory behind [address, address + size), or nullptr when no bank holds all of it.
  std::byte* in_bank(std::uint64_t address, std::uint64_t size) const;

 private:
  struct Common {
    std::uint64_t layout;
    std::int64_t least;
    std::array<SharedUnit, platform::units_max> units;
  };
  // A whole number of pages, so that the banks are page-aligned.
  static constexpr std::size_t common_size = (sizeof(Common) + 4095) / 4096 * 4096;
  struct Attached {};
  SharedDevice(Attached, int descriptor);
  bool map();

  int descriptor_ = -1;
  Common* common_ = nullptr;
  std::byte* banks_ = nullptr;  // one after the other
};

// Sleeps until `word` is no longer `old`, but at most `limit`; may return sooner.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t old,
              std::chrono::nanoseconds limit);
void wake(const std::atomic<std::uint32_t>& word);

inline std::int64_t steady_now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace chainmail::emu
