// How Python reaches into a run: Ctrl-C, and callables that see its progress. The run itself does
// not hold the interpreter's lock.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>

#include "chainmail/chainmail.hpp"

namespace chainmail::python {

namespace py = pybind11;

// While it lives, the first Ctrl-C sets the flag. A second one goes to Python again.
class Interrupts {
 public:
  Interrupts(std::atomic<bool>& flag, bool wanted);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  bool wanted_;
  std::atomic<bool>* outer_ = nullptr;  // of a run that this one was started from
  struct sigaction before_ = {};
};

class Watch {
 public:
  // `callback` sees every round, `bar` ten a second; either may be None.
  Watch(py::object callback, py::object bar, bool catch_interrupts)
      : callback_(std::move(callback)),
        bar_(std::move(bar)),
        interrupts_(stop_, catch_interrupts) {}

  // Call with the lock held; the run may continue without it.
  void attach(Options& options);
  // What a callable raised, except StopIteration, which ends the run normally.
  void rethrow();

 private:
  using Clock = std::chrono::steady_clock;
  void tell(const Status& status);

  py::object callback_, bar_;
  std::atomic<bool> stop_{false};
  Interrupts interrupts_;
  std::exception_ptr raised_;
  Clock::time_point last_{};
};

}  // namespace chainmail::python
