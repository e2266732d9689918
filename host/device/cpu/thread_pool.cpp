#include "device/cpu/thread_pool.hpp"

#include <algorithm>
#include <system_error>

#include "support/eager_wait.hpp"

namespace chainmail {

ThreadPool::ThreadPool(unsigned threads) {
  workers_.reserve(threads);
  try {
    for (unsigned t = 1; t < threads; ++t) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // A container's limit, or no room for another stack: the existing threads do the work.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    tell();
  }
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::start(PoolJob& job) {
  job.done.assign(job.strands, 0);
  job.busy.assign(job.strands, 0);
  job.unfinished = job.steps == 0 ? 0 : job.strands;
  if (job.unfinished == 0) return;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    tell();
  }
}

void ThreadPool::finish(PoolJob& job) {
  std::unique_lock lock(mutex_);
  while (job.unfinished > 0) {
    if (!run_one(job, lock)) await_news(lock);
  }
  std::erase(jobs_, &job);
}

// Runs the next step of the strand that is furthest behind; false when none is free.
bool ThreadPool::run_one(PoolJob& job, std::unique_lock<std::mutex>& lock) {
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
  tell();
  return true;
}

void ThreadPool::tell() {
  news_.fetch_add(1, std::memory_order_relaxed);
  more_.notify_all();
}

// Bursts follow one another within microseconds, and waking a thread takes longer than many a
// burst: so poll first.
void ThreadPool::await_news(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t heard = news_.load(std::memory_order_relaxed);
  const auto none = [&] { return news_.load(std::memory_order_relaxed) == heard; };
  lock.unlock();
  for (EagerWait eager; none() && eager.again();) {
  }
  lock.lock();
  more_.wait(lock, [&] { return !none(); });
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    const bool ran =
        std::any_of(jobs_.begin(), jobs_.end(), [&](PoolJob* job) { return run_one(*job, lock); });
    if (!ran && !closing_) await_news(lock);
  }
}

}  // namespace chainmail
