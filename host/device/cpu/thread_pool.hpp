// A few threads that stay alive between bursts and share out their work.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace chainmail {

// Strands run side by side; the steps of one strand run in order, each on whichever thread is free.
// Short steps balance the load even when there are few more strands than threads.
struct PoolJob {
  std::size_t strands = 0;
  std::size_t steps = 0;
  std::function<void(std::size_t strand, std::size_t step)> run;

  // Kept by the pool.
  std::vector<std::size_t> done;
  std::vector<char> busy;
  std::size_t unfinished = 0;
};

class ThreadPool {
 public:
  // The caller of finish() works too, so `threads` cores are busy, not threads + 1. If the system
  // refuses a thread there are fewer; see threads().
  explicit ThreadPool(unsigned threads);
  // 0: one for each core.
  static unsigned threads_for(unsigned wanted) {
    return wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
  }
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void start(PoolJob& job);   // returns at once; job must live until finish()
  void finish(PoolJob& job);  // helps until the job is done
  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

 private:
  void work();
  void tell();  // the lock is held
  void await_news(std::unique_lock<std::mutex>& lock);
  bool run_one(PoolJob& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable more_;        // there may be a step to run, or a job has ended
  std::atomic<std::uint64_t> news_{0};  // how often that was announced
  std::deque<PoolJob*> jobs_;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace chainmail
