#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "chainmail/content.hpp"
#include "chainmail/failure.hpp"

namespace chainmail {

namespace {

struct Done {
  std::size_t problem;
  Solution solution;
  std::optional<Failure> failure;
};

// Workers solve, each problem on one thread; the calling thread takes what they find.
class Workers {
 public:
  Workers(std::size_t count, const GiveModel& give, const Options& options, std::size_t threads)
      : count_(count), give_(give), options_(options), running_(threads) {
    for (std::size_t k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
  }
  ~Workers() {
    next_ = count_;
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::optional<Done> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !found_.empty() || running_ == 0; });
    if (found_.empty()) return std::nullopt;
    Done done = std::move(found_.front());
    found_.pop_front();
    return done;
  }

 private:
  void work() {
    while (options_.stop == nullptr || !*options_.stop) {
      const std::size_t k = next_++;
      if (k >= count_) break;
      Done done{k, {}, {}};
      try {
        done.solution = solve(*give_(k), options_);
      } catch (const Failure& failure) {
        done.failure = failure;
      } catch (const std::exception& fault) {  // memory, above all
        done.failure = Failure(Failure::device, fault.what());
      }
      const std::lock_guard lock(mutex_);
      found_.push_back(std::move(done));
      changed_.notify_one();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_one();
  }

  std::size_t count_;
  const GiveModel& give_;
  const Options& options_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Done> found_;
  std::size_t running_;
  std::vector<std::thread> threads_;
};

}  // namespace

void solve_many(std::size_t count, const GiveModel& give, const Options& options,
                const TakeSolution& take) {
  guarded([&] {
    plan_options(options);  // what is wrong with them is said once
    if (!options.checkpoint.empty()) throw UsageError("--checkpoint is for one problem at a time");
  });
  Options own = options;
  own.progress = {};
  std::size_t threads = 1;  // another device has its own, and room for one
  if (options.device == "cpu") {
    threads = options.threads > 0 ? options.threads : std::thread::hardware_concurrency();
    own.threads = 1;
  }
  Workers workers(count, give, own, std::max<std::size_t>(1, std::min(threads, count)));
  std::size_t taken = 0;
  while (std::optional<Done> done = workers.take()) {
    take(done->problem, std::move(done->solution), done->failure ? &*done->failure : nullptr);
    ++taken;
    if (!options.progress) continue;
    Status status;
    status.fraction = static_cast<double>(taken) / static_cast<double>(count);
    options.progress(status);
  }
}

}  // namespace chainmail
