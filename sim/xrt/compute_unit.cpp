#include "xrt/compute_unit.hpp"

#include <thread>

#include "support/eager_wait.hpp"

namespace chainmail::emu {

ComputeUnit::ComputeUnit(std::unique_ptr<UnitPort> kernel, SharedUnit& shared)
    : kernel_(std::move(kernel)), shared_(shared) {
  std::thread([this] { run(); }).detach();  // lives as long as the program
}

void ComputeUnit::take_writes() {
  const std::lock_guard lock(taking_);
  const std::uint32_t posted = shared_.posted.load(std::memory_order_acquire);
  for (std::uint32_t i = shared_.taken; i != posted; ++i) {
    const SharedUnit::Write& write = shared_.writes[i % shared_.writes.size()];
    kernel_->write(write.offset, write.value);
  }
  shared_.taken.store(posted, std::memory_order_release);
}

void ComputeUnit::run() {
  for (;;) {
    const std::uint32_t ended = shared_.ended;
    EagerWait wait;
    while (shared_.started.load(std::memory_order_acquire) == ended)
      if (!wait.again()) sleep_on(shared_.started, ended, std::chrono::hours(1));
    take_writes();
    kernel_->run();
    shared_.control = kernel_->read(control::address);
    shared_.ended.store(ended + 1, std::memory_order_release);
    wake(shared_.ended);
  }
}

void ComputeUnit::write(std::uint32_t offset, std::span<const std::uint32_t> words) {
  for (std::size_t i = words.size(); i-- > 0;) {
    const auto at = static_cast<std::uint32_t>(offset + 4 * i);
    if (at != control::address) kernel_->write(at, words[i]);  // during a run no start counts
  }
}

std::uint32_t ComputeUnit::read(std::uint32_t offset) {
  return kernel_->read(offset);
}

}  // namespace chainmail::emu
