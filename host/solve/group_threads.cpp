#include "solve/group_threads.hpp"

#include <map>
#include <utility>

namespace chainmail {

GroupThreads::GroupThreads(std::vector<Trial>& trials, const Device& device) {
  std::map<std::size_t, std::vector<Trial*>> by_group;
  for (std::size_t grid = 0; grid < trials.size(); ++grid) {
    by_group[device.group_of(grid)].push_back(&trials[grid]);
  }
  for (auto& [number, members] : by_group) groups_.push_back({std::move(members), {}, {}});
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    groups_[i].thread = std::thread([this, i] { serve(groups_[i]); });
  }
}

GroupThreads::~GroupThreads() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (Group& group : groups_) {
    if (group.thread.joinable()) group.thread.join();
  }
}

void GroupThreads::work_on(Group& group, const std::function<void(Trial&)>& work) {
  try {
    for (Trial* trial : group.trials) work(*trial);
  } catch (...) {
    group.fault = std::current_exception();
  }
}

void GroupThreads::serve(Group& group) {
  std::uint64_t served = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || round_ != served; });
    if (closing_) return;
    served = round_;
    lock.unlock();
    work_on(group, *work_);
    lock.lock();
    if (--busy_ == 0) changed_.notify_all();
  }
}

void GroupThreads::for_each(const std::function<void(Trial&)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    busy_ = groups_.size() - 1;
    ++round_;
  }
  changed_.notify_all();
  work_on(groups_.front(), work);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return busy_ == 0; });
  for (Group& group : groups_) {
    if (group.fault) std::rethrow_exception(std::exchange(group.fault, nullptr));
  }
}

}  // namespace chainmail
