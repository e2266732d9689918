#include "solve/driver_threads.hpp"

#include <map>
#include <utility>

namespace chainmail {

DriverThreads::DriverThreads(std::vector<Trial>& trials, const Device& device) {
  std::map<std::size_t, std::vector<Trial*>> by_driver;
  for (std::size_t grid = 0; grid < trials.size(); ++grid) {
    by_driver[device.driver_of(grid)].push_back(&trials[grid]);
  }
  for (auto& [number, members] : by_driver) drivers_.push_back({std::move(members), {}, {}});
  for (std::size_t i = 1; i < drivers_.size(); ++i) {
    drivers_[i].thread = std::thread([this, i] { serve(drivers_[i]); });
  }
}

DriverThreads::~DriverThreads() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (Driver& driver : drivers_) {
    if (driver.thread.joinable()) driver.thread.join();
  }
}

void DriverThreads::work_on(Driver& driver, const std::function<void(Trial&)>& work) {
  try {
    for (Trial* trial : driver.trials) work(*trial);
  } catch (...) {
    driver.fault = std::current_exception();
  }
}

void DriverThreads::serve(Driver& driver) {
  std::uint64_t served = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || round_ != served; });
    if (closing_) return;
    served = round_;
    lock.unlock();
    work_on(driver, *work_);
    lock.lock();
    if (--busy_ == 0) changed_.notify_all();
  }
}

void DriverThreads::for_each(const std::function<void(Trial&)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    busy_ = drivers_.size() - 1;
    ++round_;
  }
  changed_.notify_all();
  work_on(drivers_.front(), work);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return busy_ == 0; });
  for (Driver& driver : drivers_) {
    if (driver.fault) std::rethrow_exception(std::exchange(driver.fault, nullptr));
  }
}

}  // namespace chainmail
