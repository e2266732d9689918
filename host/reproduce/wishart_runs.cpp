#include "reproduce/wishart_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "generate/generate.hpp"
#include "ladder/ladder_file.hpp"
#include "reproduce/table.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail::reproduce {

namespace {

constexpr double kAlpha = 0.75;
constexpr double kScanFrom = 1000.0;  // sweeps: the scan judges what comes after
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// Instances that are published and instances the scan may look at are never the same.
enum class Set : std::uint64_t { held_out = 0, scan = 5000 };

Problem instance_of(std::size_t size, Set set, std::size_t number, std::uint64_t seed) {
  GenerateOptions options;
  options.n = size;
  options.alpha = kAlpha;
  options.seed = 10000 * seed + static_cast<std::uint64_t>(set) + number;
  return generate("wishart", options);
}

std::string instance_name(std::size_t size, Set set, std::size_t number) {
  return fmt::format("n{:03}-{}{:03}", size, set == Set::scan ? "s" : "i", number);
}

std::string ladder_key(const Recipe& recipe, const std::string& instance) {
  return fmt::format("ladder-{}/{}.json", ladder_name(recipe), instance);
}

std::string run_key(const Recipe& recipe, const std::string& instance) {
  return fmt::format("{}/{}.csv", recipe.name, instance);
}

std::string scan_key(double penalty, const std::string& instance) {
  return fmt::format("scan/p{:.2f}-{}.csv", penalty, instance);
}

// A ladder with what it cost, which a schedule file does not hold.
std::string ladder_text(const Ladder& ladder) {
  return fmt::format("{}\n{}", ladder.replica_sweeps, ladder_to_json(ladder));
}

Ladder read_ladder(const Experiment& experiment, const std::string& key) {
  const std::string text = experiment.record(key).value();
  const std::string path = experiment.record_path(key);
  std::uint64_t replica_sweeps = 0;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, replica_sweeps);
  if (error != std::errc{} || after == end || *after != '\n') {
    throw InputError(path, 1, "expected the number of replica sweeps the ladder took");
  }
  Ladder ladder = ladder_from_json(std::string(after + 1, end), path);
  ladder.replica_sweeps = replica_sweeps;
  return ladder;
}

std::uint64_t run_seed(std::uint64_t seed, std::size_t size, std::size_t number,
                       std::uint64_t what) {
  return hash_of(seed, {0x66696733, size, number, what});
}

const TracePoint* last_before(const std::vector<TracePoint>& trace, std::uint64_t time) {
  const auto after =
      std::upper_bound(trace.begin(), trace.end(), time,
                       [](std::uint64_t t, const TracePoint& p) { return t < p.sweep; });
  return after == trace.begin() ? nullptr : &*(after - 1);
}

// Share of trace points in (from, to] where the answer replica had g = 0; NaN when there are none.
double feasible_between(const std::vector<TracePoint>& trace, std::uint64_t from,
                        std::uint64_t to) {
  double looks = 0.0, fine = 0.0;
  for (const TracePoint& point : trace) {
    if (point.sweep <= from || point.sweep > to) continue;
    looks += 1.0;
    if (point.g <= kFeasible) fine += 1.0;
  }
  return looks > 0.0 ? fine / looks : kNothing;
}

void add_rows(Table& table, std::size_t trial, const std::vector<std::uint64_t>& times,
              const Problem& problem, const Result& result, double pilot) {
  const double optimum = *problem.known_optimum, size = static_cast<double>(problem.size());
  const double top = result.ladder.penalty.back();
  const bool solved = result.best.feasible && result.stopped_by == "target";
  const std::uint64_t end = result.trace.back().sweep;
  std::uint64_t before = 0;
  for (std::uint64_t time : times) {
    const TracePoint* point = last_before(result.trace, time);
    const bool over = time > end + result.sweeps_per_swap;
    if (over && !solved) break;
    std::optional<double> answer, best;
    if (point != nullptr && !over) answer = (point->energy + top * point->g - optimum) / size;
    if (point != nullptr && point->best) best = std::max(0.0, (*point->best - optimum) / size);
    table.add({fmt::format("{}", trial), fmt::format("{}", time), cell(answer), cell(best),
               cell(feasible_between(result.trace, before, time)),
               cell(result.answer_feasible_rate), cell(pilot),
               fmt::format("{}", result.ladder.rows() * result.ladder.columns())});
    before = time;
  }
}

struct RunSpec {
  const Recipe* recipe;
  std::size_t size, number;
  Set set;
  std::optional<double> penalty;
  std::uint64_t sweeps;
  std::size_t trials;
};

std::string run_one(const Experiment& experiment, const WishartPlan& plan, const RunSpec& spec) {
  const Problem problem = instance_of(spec.size, spec.set, spec.number, experiment.options().seed);
  const Recipe& recipe = *spec.recipe;
  const Ladder whole =
      read_ladder(experiment, ladder_key(recipe, instance_name(spec.size, spec.set, spec.number)));
  PlanOptions options = on_ladder(recipe, whole);
  options.penalty = spec.penalty;
  options.sweeps = spec.sweeps;
  if (recipe.at_most > 0) {
    options.sweeps = std::min(spec.sweeps, recipe.at_most);
    options.target = problem.known_optimum;
  }
  const Source source = source_of(problem);
  const auto device = open_device(source, options);
  Plan run = chainmail::plan(source, options, *device, experiment.stop());
  const auto replicas = static_cast<double>(run.ladder.rows() * run.ladder.columns());
  // A run at one penalty needs a pilot of one column only.
  const double share =
      recipe.penalty == ColumnPenalty::scanned ? 1.0 / static_cast<double>(whole.columns()) : 1.0;
  const double pilot = share * static_cast<double>(whole.replica_sweeps) / replicas;
  Table table(
      {"trial", "sweeps", "answer", "best", "feasible", "feasible_all", "pilot", "replicas"});
  for (std::size_t trial = 0; trial < spec.trials && !experiment.stop(); ++trial) {
    run.solve.seed = run_seed(experiment.options().seed, spec.size, spec.number, 1000 + trial);
    const Result result = chainmail::run(run, *device, experiment.stop());
    if (experiment.stop()) break;
    add_rows(table, trial, plan.times, problem, result, pilot);
  }
  return table.csv();
}

std::size_t most_instances(const WishartPlan& plan, Set set) {
  if (set == Set::scan) return plan.scan_instances;
  std::size_t most = 0;
  for (const auto& [size, count] : plan.instances) most = std::max(most, count);
  return most;
}

std::vector<Task> ladder_tasks(const Experiment& experiment, const WishartPlan& plan, Set set) {
  std::map<std::string, const Recipe*> users;  // one recipe for each ladder
  for (const Recipe& recipe : recipes()) {
    const bool wanted = set == Set::held_out || recipe.penalty == ColumnPenalty::scanned;
    if (wanted) users.emplace(ladder_name(recipe), &recipe);
  }
  std::vector<Task> tasks;
  for (std::size_t number = 0; number < most_instances(plan, set); ++number) {
    for (std::size_t size : plan.sizes) {
      if (set == Set::held_out && number >= plan.instances.at(size)) continue;
      for (const auto& [name, user] : users) {
        const auto run = [&experiment, size, set, number, recipe = user] {
          const std::uint64_t seed = experiment.options().seed;
          const Problem problem = instance_of(size, set, number, seed);
          return ladder_text(
              ladder_for(problem, *recipe, run_seed(seed, size, number, 1), experiment.stop()));
        };
        tasks.push_back({ladder_key(*user, instance_name(size, set, number)), number, run});
      }
    }
  }
  return tasks;
}

std::vector<Task> scan_tasks(const Experiment& experiment, const WishartPlan& plan) {
  std::vector<Task> tasks;
  for (std::size_t number = 0; number < plan.scan_instances; ++number) {
    for (std::size_t size : plan.sizes) {
      for (double penalty : plan.scan_penalties) {
        tasks.push_back({scan_key(penalty, instance_name(size, Set::scan, number)), number,
                         [&experiment, &plan, number, size, penalty] {
                           return run_one(experiment, plan,
                                          {&recipe("jcolumn_scanned"), size, number, Set::scan,
                                           penalty, plan.scan_sweeps, 1});
                         }});
      }
    }
  }
  return tasks;
}

std::vector<Task> run_tasks(const Experiment& experiment, const WishartPlan& plan,
                            const std::vector<ScanRow>& scan) {
  std::vector<Task> tasks;
  for (std::size_t number = 0; number < most_instances(plan, Set::held_out); ++number) {
    for (std::size_t size : plan.sizes) {
      if (number >= plan.instances.at(size)) continue;
      for (const Recipe& recipe : recipes()) {
        std::optional<double> penalty;
        if (recipe.penalty == ColumnPenalty::scanned) {
          penalty = best_penalty(scan, size);
          if (!penalty) continue;  // the scan was interrupted
        }
        tasks.push_back({run_key(recipe, instance_name(size, Set::held_out, number)), number,
                         [&experiment, &plan, &recipe, number, size, penalty] {
                           return run_one(experiment, plan,
                                          {&recipe, size, number, Set::held_out, penalty,
                                           plan.times.back(), plan.trials});
                         }});
      }
    }
  }
  return tasks;
}

// NaN where any trial has nothing.
void add_mean(std::vector<double>& into, std::size_t at, std::optional<double> value,
              double share) {
  into[at] = value ? into[at] + *value * share : kNothing;
}

InstanceCurve curve_from(const Table& table, const WishartPlan& plan, std::size_t number) {
  InstanceCurve curve;
  curve.instance = number;
  for (auto* column : {&curve.answer, &curve.best, &curve.feasible}) {
    column->assign(plan.times.size(), 0.0);
  }
  std::vector<bool> seen(plan.times.size(), false);
  const double trials = table.rows() == 0 ? 1.0 : table.number(table.rows() - 1, "trial") + 1.0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto time = static_cast<std::uint64_t>(table.number(row, "sweeps"));
    const auto found = std::lower_bound(plan.times.begin(), plan.times.end(), time);
    if (found == plan.times.end() || *found != time) continue;
    const auto at = static_cast<std::size_t>(found - plan.times.begin());
    seen[at] = true;
    add_mean(curve.answer, at, table.optional_number(row, "answer"), 1.0 / trials);
    add_mean(curve.best, at, table.optional_number(row, "best"), 1.0 / trials);
    add_mean(curve.feasible, at, table.optional_number(row, "feasible"), 1.0 / trials);
    if (at == 0) curve.feasible_share += table.number(row, "feasible_all") / trials;
    curve.pilot = table.number(row, "pilot");
    curve.replicas = table.number(row, "replicas");
  }
  for (std::size_t at = 0; at < seen.size(); ++at) {
    if (!seen[at]) curve.answer[at] = curve.best[at] = curve.feasible[at] = kNothing;
  }
  return curve;
}

// Mean over times from `from` on; without a feasible state by then a penalty is of no use.
double score_of(const Table& table, double from) {
  std::vector<double> all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.number(row, "sweeps") < from) continue;
    all.push_back(table.optional_number(row, "best").value_or(1.0));
  }
  return mean_of(all).value;
}

}  // namespace

WishartPlan wishart_plan(const ExperimentOptions& options) {
  WishartPlan plan;
  plan.sizes = {40, 50, 60, 70, 80, 90, 100};
  plan.compared = {40, 60, 100};
  if (!options.sizes.empty()) {
    plan.sizes.assign(options.sizes.begin(), options.sizes.end());
    plan.compared = plan.sizes;
  }
  for (std::size_t size : plan.sizes) {
    // The other sizes only help the collapse.
    const bool compared =
        std::find(plan.compared.begin(), plan.compared.end(), size) != plan.compared.end();
    plan.instances[size] = options.full ? 200 : compared ? 40 : 10;
    if (options.instances > 0) plan.instances[size] = options.instances;
  }
  plan.trials = options.full ? 10 : 1;
  const std::uint64_t last = options.sweeps > 0 ? options.sweeps : 102'400;
  for (int k = 0;; ++k) {
    const auto time = static_cast<std::uint64_t>(std::lround(50.0 * std::exp2(k / 4.0)));
    if (time > last) break;
    plan.times.push_back(time);
  }
  plan.scan_penalties = {0.75, 0.83, 0.91, 1.0, 1.1, 1.21, 1.33, 1.46};
  plan.scan_instances = options.full ? 24 : 8;
  if (options.instances > 0)
    plan.scan_instances = std::min(plan.scan_instances, plan.instances.begin()->second);
  plan.scan_sweeps = std::min<std::uint64_t>(last, options.full ? last : 12'800);
  return plan;
}

std::string settings_text(const WishartPlan& plan, const ExperimentOptions& options) {
  std::string text = fmt::format(
      "fig3: version {}, seed {}, alpha {}, {} sweeps, {} trials\n"
      "scan: P of {}, {} instances, {} sweeps\n",
      CHAINMAIL_VERSION, options.seed, kAlpha, plan.times.back(), plan.trials,
      fmt::join(plan.scan_penalties, " "), plan.scan_instances, plan.scan_sweeps);
  for (const Recipe& recipe : recipes()) text += recipe.name + ": " + recipe.about + "\n";
  return text;
}

void run_wishart(Experiment& experiment, const WishartPlan& plan) {
  experiment.expect(0.0, 0.02);
  experiment.run_everywhere(ladder_tasks(experiment, plan, Set::scan));
  experiment.expect(0.02, 0.10);
  experiment.run_everywhere(scan_tasks(experiment, plan));
  experiment.expect(0.10, 0.15);
  experiment.run(ladder_tasks(experiment, plan, Set::held_out));
  experiment.expect(0.15, 1.0);
  if (experiment.stop() || experiment.out_of_time()) return;
  experiment.run(run_tasks(experiment, plan, gather_scan(experiment, plan)));
}

std::map<RunKey, std::vector<InstanceCurve>> gather_wishart(const Experiment& experiment,
                                                            const WishartPlan& plan,
                                                            std::size_t& missing) {
  std::map<RunKey, std::vector<InstanceCurve>> curves;
  for (const Recipe& recipe : recipes()) {
    for (const auto& [size, count] : plan.instances) {
      for (std::size_t number = 0; number < count; ++number) {
        const std::string key = run_key(recipe, instance_name(size, Set::held_out, number));
        const auto text = experiment.record(key);
        if (!text) {
          ++missing;
          continue;
        }
        const Table table = Table::parse(*text, experiment.record_path(key));
        curves[{recipe.name, size}].push_back(curve_from(table, plan, number));
      }
    }
  }
  return curves;
}

std::vector<ScanRow> gather_scan(const Experiment& experiment, const WishartPlan& plan) {
  const double from = std::min(kScanFrom, static_cast<double>(plan.scan_sweeps) / 2.0);
  std::vector<ScanRow> rows;
  for (std::size_t size : plan.sizes) {
    std::vector<ScanRow> of_size;
    for (double penalty : plan.scan_penalties) {
      std::vector<double> scores;
      for (std::size_t number = 0; number < plan.scan_instances; ++number) {
        const std::string key = scan_key(penalty, instance_name(size, Set::scan, number));
        if (const auto text = experiment.record(key)) {
          scores.push_back(score_of(Table::parse(*text, experiment.record_path(key)), from));
        }
      }
      if (scores.size() == plan.scan_instances) of_size.push_back({size, penalty, mean_of(scores)});
    }
    // An interrupted scan has no winner yet.
    if (of_size.size() < plan.scan_penalties.size()) continue;
    rows.insert(rows.end(), of_size.begin(), of_size.end());
  }
  return rows;
}

std::optional<double> best_penalty(const std::vector<ScanRow>& scan, std::size_t size) {
  const ScanRow* best = nullptr;
  for (const ScanRow& row : scan) {
    if (row.size == size && (best == nullptr || row.score.value < best->score.value)) best = &row;
  }
  if (best == nullptr) return std::nullopt;
  return best->penalty;
}

}  // namespace chainmail::reproduce
