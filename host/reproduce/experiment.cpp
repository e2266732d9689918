#include "reproduce/experiment.hpp"

#include <chrono>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>

#include "reproduce/table.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail::reproduce {

namespace fs = std::filesystem;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Experiment::Experiment(std::string name, const ExperimentOptions& options,
                       const std::string& settings, const std::atomic<bool>& stop,
                       TaskObserver observer)
    : name_(std::move(name)),
      folder_((fs::path(options.out) / name_).string()),
      options_(options),
      stop_(stop),
      observer_(std::move(observer)),
      begun_(now()) {
  std::error_code error;
  fs::create_directories(fs::path(folder_) / "records", error);
  if (error) throw InputError(folder_ + ": cannot make this folder: " + error.message());
  const std::string path = (fs::path(folder_) / "settings.txt").string();
  if (!fs::exists(path)) {
    write_file(path, settings);
  } else if (read_file(path) != settings) {
    throw InputError(path +
                     ": the records in this folder were made with different settings; choose " +
                     "another --out or remove the folder");
  }
}

std::string Experiment::record_path(const std::string& key) const {
  return (fs::path(folder_) / "records" / key).string();
}

std::optional<std::string> Experiment::record(const std::string& key) const {
  const std::string path = record_path(key);
  if (!fs::exists(path)) return std::nullopt;
  return read_file(path);
}

void Experiment::write(const std::string& file, const std::string& content) const {
  write_file((fs::path(folder_) / file).string(), content);
}

bool Experiment::out_of_time() const {
  return options_.time_limit > 0.0 && now() - begun_ >= options_.time_limit;
}

void Experiment::run(const std::vector<Task>& tasks) {
  std::vector<const Task*> mine;
  for (const Task& task : tasks) {
    if (task.lane % options_.shards == options_.shard - 1) mine.push_back(&task);
  }
  run_all(mine);
}

void Experiment::run_everywhere(const std::vector<Task>& tasks) {
  std::vector<const Task*> all;
  all.reserve(tasks.size());
  for (const Task& task : tasks) all.push_back(&task);
  run_all(all);
}

void Experiment::run_all(const std::vector<const Task*>& tasks) {
  if (!options_.run) return;
  std::vector<const Task*> open;
  for (const Task* task : tasks) {
    const fs::path path = record_path(task->key);
    if (fs::exists(path)) continue;
    fs::create_directories(path.parent_path());
    open.push_back(task);
  }
  std::mutex mutex;
  std::size_t next = 0, done = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    for (;;) {
      const Task* task = nullptr;
      {
        const std::lock_guard lock(mutex);
        if (next == open.size() || failure || stop_ || out_of_time()) return;
        task = open[next++];
      }
      try {
        const std::string record = task->run();
        if (!stop_) write_file(record_path(task->key), record);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        return;
      }
      const std::lock_guard lock(mutex);
      ++done;
      const double share = static_cast<double>(done) / static_cast<double>(open.size());
      if (observer_) observer_(from_ + share * (to_ - from_), name_ + "  " + task->key);
    }
  };
  const std::size_t wanted =
      options_.threads > 0 ? options_.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  try {
    for (std::size_t k = 1; k < std::min(wanted, open.size()); ++k) threads.emplace_back(work);
  } catch (const std::system_error&) {
    // No further thread is allowed: those that are there, and this one, do the work.
  }
  work();
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

std::vector<std::uint64_t> doubling(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t t = first; t <= last; t *= 2) times.push_back(t);
  return times;
}

std::optional<Table> published(const ExperimentOptions& options, const std::string& file) {
  if (options.reference.empty()) return std::nullopt;
  const fs::path path = fs::path(options.reference) / file;
  if (!fs::exists(path)) return std::nullopt;
  return Table::read(path.string());
}

}  // namespace chainmail::reproduce
