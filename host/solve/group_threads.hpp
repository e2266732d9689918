// Threads for a device whose grids fall into groups that do not disturb each other (compute units
// of a card): each serves the trials of its group, in order; the caller's thread serves the first.
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

class GroupThreads {
 public:
  // Trial i of `trials` is on the device's grid i; both must outlive this.
  GroupThreads(std::vector<Trial>& trials, const Device& device);
  ~GroupThreads();
  GroupThreads(const GroupThreads&) = delete;
  GroupThreads& operator=(const GroupThreads&) = delete;

  // Does `work` for every trial and returns when all is done; throws the first group's exception.
  void for_each(const std::function<void(Trial&)>& work);

 private:
  struct Group {
    std::vector<Trial*> trials;
    std::exception_ptr fault;
    std::thread thread;  // of all but the first
  };
  void serve(Group& group);
  static void work_on(Group& group, const std::function<void(Trial&)>& work);

  std::vector<Group> groups_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(Trial&)>* work_ = nullptr;
  std::uint64_t round_ = 0;
  std::size_t busy_ = 0;  // threads that have not ended this round
  bool closing_ = false;
};

}  // namespace chainmail
