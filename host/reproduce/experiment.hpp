// How an experiment is run: as tasks, each of which leaves one small record in the output folder.
// An existing record is not made again, so an experiment can be interrupted, resumed, extended and
// split over machines, and its results do not depend on any of that.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace chainmail::reproduce {

struct ExperimentOptions {
  std::string out = "build/figures";
  std::string reference;       // folder with published curves; empty: none
  std::string device = "cpu";  // of fig2
  std::uint64_t seed = 1;
  std::uint64_t instances = 0;  // 0: the experiment's own choice
  std::uint64_t sweeps = 0;     // the longest time; 0: the experiment's own choice
  std::vector<double> sizes;    // fig3: numbers of spins; empty: the paper's
  bool full = false;            // the paper's numbers of instances and trials
  std::uint64_t shard = 1, shards = 1;
  std::uint64_t threads = 0;  // 0: one per core
  double time_limit = 0.0;    // seconds after which no task is started; 0: no limit
  bool run = true;            // false: only gather what is there
};

// Called from any thread: share of the experiment's tasks that are done, and the last one's name.
using TaskObserver = std::function<void(double fraction, const std::string& text)>;

struct Task {
  std::string key;                   // file name below the experiment's records
  std::uint64_t lane = 0;            // shard k of n does the lanes l with l % n = k - 1
  std::function<std::string()> run;  // makes the record; discarded if a stop was requested
};

class Experiment {
 public:
  // Records of other settings in the same folder are an InputError that says so.
  Experiment(std::string name, const ExperimentOptions& options, const std::string& settings,
             const std::atomic<bool>& stop, TaskObserver observer);

  // Runs the tasks of this shard that have no record yet, in order, on all threads.
  void run(const std::vector<Task>& tasks);
  // The same whatever the shard: for what every shard needs.
  void run_everywhere(const std::vector<Task>& tasks);

  std::optional<std::string> record(const std::string& key) const;
  std::string record_path(const std::string& key) const;

  // A result next to the records: OUT/NAME/file.
  void write(const std::string& file, const std::string& content) const;

  const std::atomic<bool>& stop() const { return stop_; }
  const ExperimentOptions& options() const { return options_; }
  bool out_of_time() const;
  // For the bar: how much of the whole the next run() is.
  void expect(double from, double to) { from_ = from, to_ = to; }

 private:
  void run_all(const std::vector<const Task*>& tasks);

  std::string name_, folder_;
  const ExperimentOptions& options_;
  const std::atomic<bool>& stop_;
  TaskObserver observer_;
  double begun_, from_ = 0.0, to_ = 1.0;
};

// Sweeps at which curves are read: first, 2 first, 4 first, ... up to last.
std::vector<std::uint64_t> doubling(std::uint64_t first, std::uint64_t last);

// The table `file` of the folder with published curves, where there is one.
std::optional<class Table> published(const ExperimentOptions& options, const std::string& file);

}  // namespace chainmail::reproduce
