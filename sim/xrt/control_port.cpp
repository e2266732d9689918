// XRT's emulation has no interrupt: its scheduler reads the control register for as long as a run
// lasts. That would take the processor the simulation needs. So a read that would answer "busy" is
// held back: in a short run by polling, to see its end at once; in a long one by sleeping, for a
// share of its duration so far. The share must stay small, because copies for the other grids wait
// behind the read.
#include "xrt/control_port.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "support/eager_wait.hpp"
#include "xrt/unit_port.hpp"

namespace chainmail::emu {

namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds short_run = microseconds(400);
constexpr microseconds awake(20);                      // one held read of a short run
constexpr nanoseconds asleep_max = microseconds(100);  // and of a long one
constexpr nanoseconds oversleep = microseconds(80);    // a sleep may last longer by this

}  // namespace

bool ControlPort::over() const {
  return unit_.ended.load(std::memory_order_acquire) == unit_.started &&
         steady_now() >= unit_.started_at + least_.count();
}

bool ControlPort::write(std::uint32_t offset, std::string_view words) {
  constexpr auto size = static_cast<std::uint32_t>(std::tuple_size_v<decltype(unit_.writes)>);
  std::uint32_t posted = unit_.posted;
  const std::size_t count = words.size() / sizeof(std::uint32_t);
  if (!unit_.present || !over() ||
      posted - unit_.taken.load(std::memory_order_acquire) + count > size)
    return false;
  // XRT may send the whole register map at once: arguments first, then the control word.
  bool start = false;
  for (std::size_t i = count; i-- > 0;) {
    const auto at = static_cast<std::uint32_t>(offset + 4 * i);
    std::uint32_t value = 0;
    std::memcpy(&value, words.data() + 4 * i, sizeof value);
    if (at == control::address) {
      value &= control::start;  // ap_continue has no meaning for ap_ctrl_hs
      if (value == 0) continue;
      start = true;
    }
    unit_.writes[posted++ % size] = {at, value};
  }
  unit_.posted.store(posted, std::memory_order_release);
  if (!start) return true;
  if (unit_.told != unit_.started) tell_end();  // the host did not request it
  unit_.started_at = steady_now();
  if (unit_.started == 0)
    unit_.first_start = unit_.started_at;
  else
    unit_.idle[unit_.started % unit_.idle.size()] = unit_.started_at - unit_.last_end;
  unit_.started.fetch_add(1, std::memory_order_release);
  wake(unit_.started);
  return true;
}

std::optional<std::uint32_t> ControlPort::read(std::uint32_t offset) {
  if (offset != control::address || unit_.told == unit_.started) return std::nullopt;
  if (!over()) wait_for_end();
  if (!over()) return control::start;
  tell_end();
  return unit_.control;
}

void ControlPort::wait_for_end() const {
  const nanoseconds elapsed(steady_now() - unit_.started_at);
  if (elapsed < short_run) {
    EagerWait wait(awake);
    do {
      if (over() || (wanted_ != nullptr && *wanted_ != 0)) return;
    } while (wait.again());
    if (!wait.crowded()) return;
  }
  const nanoseconds hold = std::clamp<nanoseconds>(elapsed / 32, awake, asleep_max);
  const std::uint32_t ended = unit_.ended;
  if (ended != unit_.started) {
    sleep_on(unit_.ended, ended, hold);
    return;
  }
  // Only the minimum duration holds it: a sleep must not exceed that.
  const nanoseconds left = least_ - elapsed;
  if (left > oversleep) std::this_thread::sleep_for(std::min(hold, left - oversleep));
  while (left <= oversleep && !over()) {
  }
}

void ControlPort::tell_end() {
  // With a minimum duration that is the run's length: a late end is not the kernel's fault.
  const std::int64_t end = least_.count() > 0 ? unit_.started_at + least_.count() : steady_now();
  unit_.busy += end - unit_.started_at;
  unit_.last_end = end;
  unit_.told = unit_.started;
}

}  // namespace chainmail::emu
