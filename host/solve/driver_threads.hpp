// Threads for a device whose grids have drivers that do not disturb each other (compute units
// of a card): each serves the trials of its driver, in order; the caller's thread serves the first.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "solve/trial.hpp"

namespace chainmail {

class DriverThreads {
 public:
  // Trial i of `trials` is on the device's grid i; both must outlive this.
  DriverThreads(std::vector<Trial>& trials, const Device& device);
  ~DriverThreads();
  DriverThreads(const DriverThreads&) = delete;
  DriverThreads& operator=(const DriverThreads&) = delete;

  // Does `work` for every trial and returns when all are done; throws the first driver's exception.
  void for_each(const std::function<void(Trial&)>& work);

 private:
  struct Driver {
    std::vector<Trial*> trials;
    std::exception_ptr fault;
    std::thread thread;  // of all but the first
  };
  void serve(Driver& driver);
  static void work_on(Driver& driver, const std::function<void(Trial&)>& work);

  std::vector<Driver> drivers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(Trial&)>* work_ = nullptr;
  std::uint64_t round_ = 0;
  std::size_t busy_ = 0;  // threads that have not ended this round
  bool closing_ = false;
};

}  // namespace chainmail
