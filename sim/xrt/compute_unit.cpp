// XRT's emulation has no interrupt: the host polls the control register for as long as a run
// lasts, two calls a time. Left alone that eats the core the simulation needs. So a read that
// would answer "busy" is held back for a share of the time the run has lasted so far: short runs
// are seen to end at once, long ones are polled gently. The share must stay small, because the same
// socket carries the other grids' buffers.
#include "xrt/compute_unit.hpp"

#include <algorithm>
#include <thread>

namespace chainmail::emu {

void ComputeUnit::write(std::uint32_t offset, std::span<const std::uint32_t> words) {
  // XRT may send the whole register map at once: arguments first, then the control word.
  for (std::size_t i = words.size(); i-- > 0;) {
    const auto at = static_cast<std::uint32_t>(offset + 4 * i);
    std::uint32_t value = words[i];
    if (at == control::address) {
      value &= control::start;  // ap_continue has no meaning for ap_ctrl_hs
      if (value == 0) continue;
      running_ = true;
      started_ = Clock::now();
      if (usage_.runs++ == 0) usage_.first_start = started_;
    }
    kernel_->write(at, value);
  }
}

std::uint32_t ComputeUnit::read(std::uint32_t offset) {
  return offset == control::address && running_ ? read_control() : kernel_->read(offset);
}

std::uint32_t ComputeUnit::read_control() {
  using std::chrono::microseconds;
  const auto elapsed = std::chrono::duration_cast<microseconds>(Clock::now() - started_);
  const microseconds hold = std::min(elapsed / 32, microseconds(10));
  const auto until = Clock::now() + hold;
  if (!kernel_->wait_idle(hold)) return control::start;
  const auto earliest_end = started_ + least_;
  if (earliest_end > until) {
    std::this_thread::sleep_until(until);
    return control::start;
  }
  while (Clock::now() < earliest_end) {  // microseconds: a sleep would overshoot
  }
  running_ = false;
  usage_.last_end = least_.count() > 0 ? earliest_end : Clock::now();
  usage_.busy += usage_.last_end - started_;
  return kernel_->read(control::address);
}

}  // namespace chainmail::emu
