#include "xrt/shared_device.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>
#include <new>
#include <system_error>

namespace chainmail::emu {

namespace {

// Changes with the layout of the shared memory: host library and device program may be from
// different builds.
constexpr std::uint64_t layout_number = 0x6368'6d6c'0000'0001;

constexpr std::size_t banks_size = platform::banks.size() * platform::bank_size;

// For wait and wake; two processes map the word at different addresses.
long futex(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* limit) {
  return syscall(SYS_futex, &word, operation, value, limit, nullptr, 0);  // NOLINT(*-vararg)
}

}  // namespace

SharedDevice::SharedDevice(std::chrono::nanoseconds least_duration) {
  constexpr std::size_t size = common_size + banks_size;
  descriptor_ = memfd_create("chainmail-device", MFD_CLOEXEC);
  if (descriptor_ < 0 || ftruncate(descriptor_, size) != 0 || !map()) {
    const int reason = errno;
    if (descriptor_ >= 0) close(descriptor_);
    throw std::system_error(reason, std::generic_category(), "memory of the emulated device");
  }
  common_ = new (common_) Common{layout_number, least_duration.count(), {}};
}

SharedDevice::SharedDevice(Attached, int descriptor) : descriptor_(descriptor) {}

std::unique_ptr<SharedDevice> SharedDevice::attach(int descriptor) {
  std::unique_ptr<SharedDevice> device(new SharedDevice(Attached{}, descriptor));
  const off_t size = lseek(descriptor, 0, SEEK_END);
  if (size != static_cast<off_t>(common_size + banks_size) || !device->map() ||
      device->common_->layout != layout_number)
    return nullptr;
  return device;
}

bool SharedDevice::map() {
  void* start = mmap(nullptr, common_size + banks_size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  if (start == MAP_FAILED) return false;
  common_ = static_cast<Common*>(start);
  banks_ = static_cast<std::byte*>(start) + common_size;
  return true;
}

SharedDevice::~SharedDevice() {
  if (common_ != nullptr) munmap(common_, common_size + banks_size);
  close(descriptor_);
}

std::byte* SharedDevice::in_bank(std::uint64_t address, std::uint64_t size) const {
  std::byte* data = banks_;
  for (const Bank& bank : platform::banks) {
    const std::uint64_t offset = address - bank.base;  // wraps below the base: too large
    if (offset < bank.size && size <= bank.size - offset) return data + offset;
    data += bank.size;
  }
  return nullptr;
}

void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t old,
              std::chrono::nanoseconds limit) {
  const timespec time{limit.count() / 1'000'000'000, limit.count() % 1'000'000'000};
  futex(word, FUTEX_WAIT, old, &time);
}

void wake(const std::atomic<std::uint32_t>& word) {
  futex(word, FUTEX_WAKE, INT_MAX, nullptr);
}

}  // namespace chainmail::emu
