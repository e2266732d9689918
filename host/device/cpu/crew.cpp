#include "device/cpu/crew.hpp"

#include <algorithm>
#include <system_error>

namespace chainmail {

Crew::Crew(unsigned threads) {
  workers_.reserve(threads);
  try {
    for (unsigned t = 1; t < threads; ++t) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // A container's limit, or no room for another stack: the threads that are there do the work.
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  more_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Crew::start(CrewJob& job) {
  job.done.assign(job.strands, 0);
  job.busy.assign(job.strands, 0);
  job.unfinished = job.steps == 0 ? 0 : job.strands;
  if (job.unfinished == 0) return;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
  }
  more_.notify_all();
}

void Crew::finish(CrewJob& job) {
  std::unique_lock lock(mutex_);
  while (job.unfinished > 0) {
    if (!run_one(job, lock)) more_.wait(lock);
  }
  std::erase(jobs_, &job);
}

// Runs the next step of the strand that is furthest behind; false when none is free.
bool Crew::run_one(CrewJob& job, std::unique_lock<std::mutex>& lock) {
  std::size_t chosen = job.strands;
  for (std::size_t s = 0; s < job.strands; ++s) {
    if (job.busy[s] != 0 || job.done[s] == job.steps) continue;
    if (chosen == job.strands || job.done[s] < job.done[chosen]) chosen = s;
  }
  if (chosen == job.strands) return false;
  job.busy[chosen] = 1;
  lock.unlock();
  job.run(chosen, job.done[chosen]);
  lock.lock();
  job.busy[chosen] = 0;
  if (++job.done[chosen] == job.steps) --job.unfinished;
  more_.notify_all();
  return true;
}

void Crew::work() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    const bool ran =
        std::any_of(jobs_.begin(), jobs_.end(), [&](CrewJob* job) { return run_one(*job, lock); });
    if (!ran) more_.wait(lock);
  }
}

}  // namespace chainmail
