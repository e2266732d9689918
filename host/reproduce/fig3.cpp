// Fig. 3: planted Wishart problems through three copies. The paper's two methods, ours, and what an
// expert would do by hand, on the same instances; tables, plots and verdicts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/fig3_plots.hpp"
#include "reproduce/fig3_targets.hpp"
#include "reproduce/table.hpp"

namespace chainmail::reproduce {

namespace {

Table residual_table(const Runs& runs, const WishartPlan& plan) {
  Table table({"n", "method", "sweeps", "instances", "answer", "answer_low", "answer_high", "best",
               "best_low", "best_high", "feasible", "feasible_low", "feasible_high"});
  for (const auto& [key, instances] : runs) {
    const MeanCurve answer = mean_curve(instances, plan, &InstanceCurve::answer);
    const MeanCurve best = mean_curve(instances, plan, &InstanceCurve::best);
    const MeanCurve feasible = mean_curve(instances, plan, &InstanceCurve::feasible);
    for (std::uint64_t time : plan.times) {
      std::vector<std::string> cells{fmt::format("{}", key.second), key.first,
                                     fmt::format("{}", time), fmt::format("{}", instances.size())};
      for (const MeanCurve* curve : {&answer, &best, &feasible}) {
        const auto at =
            std::find(curve->sweeps.begin(), curve->sweeps.end(), static_cast<double>(time));
        const bool there = at != curve->sweeps.end();
        const Estimate value =
            there ? curve->value[static_cast<std::size_t>(at - curve->sweeps.begin())] : Estimate{};
        cells.push_back(there ? cell(value.value, 6) : "");
        cells.push_back(there ? cell(value.low, 6) : "");
        cells.push_back(there ? cell(value.high, 6) : "");
      }
      table.add(std::move(cells));
    }
  }
  return table;
}

Table collapse_table(const std::vector<CollapseRow>& rows) {
  Table table({"method", "rho of", "mu", "mu_low", "mu_high", "misfit", "sweeps to 0.05 at N = 200",
               "sweeps_low", "sweeps_high"});
  const Estimate none{NAN, NAN, NAN, 0};
  for (const CollapseRow& row : rows) {
    const Estimate mu = row.mu.value_or(none), sweeps = row.sweeps.value_or(none);
    table.add({recipe(row.recipe).label, row.quantity, cell(mu.value, 3), cell(mu.low, 3),
               cell(mu.high, 3), cell(row.mu ? row.misfit : NAN, 3), cell(sweeps.value, 2),
               cell(sweeps.low, 2), cell(sweeps.high, 2)});
  }
  return table;
}

// The same fit on the published points, as far as they are there: no instances, so no interval.
void add_published(Table& table, const ExperimentOptions& options) {
  for (const auto& [method, label] :
       {std::pair{"2dpt", "2D-PT, published"}, std::pair{"jcolumn", "J-column, published"}}) {
    const std::vector<ScalingPoint> points = scaling_points(published_residuals(options, method));
    if (points.empty()) continue;
    const auto fit = fit_collapse(points);
    if (!fit) continue;
    const auto sweeps = sweeps_to_reach(points, fit->mu, kGapRho, kGapSize);
    table.add({label, method == std::string("2dpt") ? "answer" : "best", cell(fit->mu, 3), "", "",
               cell(fit->misfit, 3), cell(sweeps.value_or(NAN), 2), "", ""});
  }
}

Table comparison_table(const std::vector<ComparisonRow>& rows) {
  Table table({"n", "sweeps", "pilot", "2D-PT default", "J-column best P", "difference"});
  const auto text = [](const std::optional<Estimate>& e) {
    return e ? with_interval(*e, 3) : std::string("no state yet");
  };
  for (const ComparisonRow& row : rows) {
    table.add({fmt::format("{}", row.size), fmt::format("{}", row.sweeps),
               row.pilot_counted ? "counted" : "not counted", text(row.a), text(row.b),
               text(row.difference)});
  }
  return table;
}

Table comparison_csv(const std::vector<ComparisonRow>& rows) {
  Table table({"n", "sweeps", "pilot_counted", "standard", "standard_low", "standard_high",
               "jcolumn_scanned", "jcolumn_scanned_low", "jcolumn_scanned_high", "difference",
               "difference_low", "difference_high"});
  for (const ComparisonRow& row : rows) {
    std::vector<std::string> cells{fmt::format("{}", row.size), cell(row.sweeps),
                                   row.pilot_counted ? "1" : "0"};
    for (const auto& e : {row.a, row.b, row.difference}) {
      cells.push_back(e ? cell(e->value, 6) : "");
      cells.push_back(e ? cell(e->low, 6) : "");
      cells.push_back(e ? cell(e->high, 6) : "");
    }
    table.add(std::move(cells));
  }
  return table;
}

Table scan_table(const std::vector<ScanRow>& scan) {
  Table table({"n", "P", "rho", "low", "high", "best"});
  for (const ScanRow& row : scan) {
    table.add({fmt::format("{}", row.size), cell(row.penalty), cell(row.score.value, 4),
               cell(row.score.low, 4), cell(row.score.high, 4),
               best_penalty(scan, row.size) == row.penalty ? "best" : ""});
  }
  return table;
}

// The best feasible state of every method, at a few times, for the documentation.
Table overview(const Runs& runs, const WishartPlan& plan) {
  Table table({"N", "method", "instances", "replicas", "pilot (sweeps)", "rho(1,000)",
               "rho(10,000)", "rho(102,400)", "solved", "answer feasible"});
  for (std::size_t size : plan.sizes) {
    for (const Recipe& recipe : recipes()) {
      const auto found = runs.find({recipe.name, size});
      if (found == runs.end()) continue;
      const std::vector<InstanceCurve>& instances = found->second;
      const MeanCurve best = mean_curve(instances, plan, &InstanceCurve::best);
      const auto at = [&](double time) {
        const Estimate* e = best.at(time);
        return e != nullptr ? with_interval(*e, 2) : std::string();
      };
      std::size_t solved = 0;
      std::vector<double> replicas, pilot, feasible;
      for (const InstanceCurve& curve : instances) {
        const double last = *std::find_if(curve.best.rbegin(), curve.best.rend() - 1,
                                          [](double v) { return std::isfinite(v); });
        solved += last < kSolved ? 1 : 0;
        replicas.push_back(curve.replicas);
        pilot.push_back(curve.pilot);
        feasible.push_back(curve.feasible_share);
      }
      const bool has_answer = *recipe.options.method == Method::two_dimensional;
      table.add({fmt::format("{}", size), recipe.label, fmt::format("{}", instances.size()),
                 fmt::format("{:.0f}", mean_of(replicas).value),
                 fmt::format("{:.0f}", mean_of(pilot).value), at(1000), at(10000), at(102400),
                 fmt::format("{}/{}", solved, instances.size()),
                 has_answer ? fmt::format("{:.2f} %", 100.0 * mean_of(feasible).value) : ""});
    }
  }
  return table;
}

}  // namespace

Outcome reproduce_fig3(const ExperimentOptions& options, const std::atomic<bool>& stop,
                       const TaskObserver& observer) {
  const WishartPlan plan = wishart_plan(options);
  Experiment experiment("fig3", options, settings_text(plan, options), stop, observer);
  run_wishart(experiment, plan);

  Outcome outcome;
  const Runs runs = gather_wishart(experiment, plan, outcome.missing);
  if (runs.empty() || stop) return outcome;
  const std::vector<ScanRow> scan = gather_scan(experiment, plan);
  const std::vector<CollapseRow> collapse = collapse_all(runs, plan, options.seed);
  const std::vector<ComparisonRow> comparison = compare(runs, plan, "standard", "jcolumn_scanned");
  Table fits = collapse_table(collapse);
  add_published(fits, options);
  experiment.write("fig3_residual.csv", residual_table(runs, plan).csv());
  experiment.write("fig3_scan.csv", scan_table(scan).csv());
  experiment.write("fig3_collapse.csv", fits.csv());
  experiment.write("fig3_comparison.csv", comparison_csv(comparison).csv());
  plot_fig3(experiment, plan, runs, scan, collapse);
  outcome.targets = fig3_targets(runs, plan, comparison, collapse, options);
  outcome.markdown = overview(runs, plan).markdown() + "\n" + fits.markdown() + "\n" +
                     comparison_table(comparison).markdown();
  return outcome;
}

}  // namespace chainmail::reproduce
