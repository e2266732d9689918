#include "watch.hpp"

namespace chainmail::python {

namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);

std::atomic<std::atomic<bool>*> flag_of_signal{nullptr};
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free);
struct sigaction pythons_own = {};

extern "C" void on_interrupt(int signal) {
  if (std::atomic<bool>* flag = flag_of_signal.load()) *flag = true;
  sigaction(signal, &pythons_own, nullptr);
}

}  // namespace

Interrupts::Interrupts(std::atomic<bool>& flag, bool wanted) : wanted_(wanted) {
  if (!wanted_) return;
  struct sigaction ours = {};
  ours.sa_handler = on_interrupt;
  sigemptyset(&ours.sa_mask);
  outer_ = flag_of_signal.exchange(&flag);
  sigaction(SIGINT, &ours, &before_);
  if (outer_ == nullptr) pythons_own = before_;
}

Interrupts::~Interrupts() {
  if (!wanted_) return;
  flag_of_signal = outer_;
  sigaction(SIGINT, &before_, nullptr);
}

void Watch::attach(Options& options) {
  options.stop = &stop_;
  if (callback_.is_none() && bar_.is_none()) return;
  options.progress = [this](const Status& status) {
    if (!raised_) tell(status);
  };
}

void Watch::tell(const Status& status) {
  const auto now = Clock::now();
  const bool draw = !bar_.is_none() && now - last_ >= kBarInterval;
  const bool call = !callback_.is_none() && !status.tuning;
  if (!draw && !call) return;
  const py::gil_scoped_acquire lock;
  try {
    if (draw) {
      last_ = now;
      bar_(status);
    }
    if (call) callback_(status);
  } catch (py::error_already_set& error) {
    stop_ = true;
    if (!error.matches(PyExc_StopIteration)) raised_ = std::current_exception();
  }
}

void Watch::rethrow() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

}  // namespace chainmail::python
