// The runs of Fig. 3: planted Wishart problems by size, instance and method, kept as records, and
// their curves by instance.
#pragma once

#include <map>

#include "reproduce/experiment.hpp"
#include "reproduce/methods.hpp"
#include "reproduce/outcome.hpp"

namespace chainmail::reproduce {

struct WishartPlan {
  std::vector<std::size_t> sizes, compared;      // all, and those at which methods are compared
  std::map<std::size_t, std::size_t> instances;  // by size
  std::size_t trials = 1;
  std::vector<std::uint64_t> times;  // quarter octaves from 50 sweeps on
  std::vector<double> scan_penalties;
  std::size_t scan_instances = 0;
  std::uint64_t scan_sweeps = 0;
};
WishartPlan wishart_plan(const ExperimentOptions& options);
std::string settings_text(const WishartPlan& plan, const ExperimentOptions& options);

// Ladders, the scan for the best single P of each size, then the runs.
void run_wishart(Experiment& experiment, const WishartPlan& plan);

// One instance under one method, mean over trials; by time of the plan. NaN where there is nothing:
// no feasible state yet, or the run had ended with the optimum.
struct InstanceCurve {
  std::size_t instance = 0;
  std::vector<double> answer;    // rho of the answer replica, its energy with P g
  std::vector<double> best;      // rho of the best feasible state of all replicas so far
  std::vector<double> feasible;  // share of the answer replica's looks since the time before, g = 0
  double feasible_share = 0.0;   // over the whole run
  double pilot = 0.0;            // sweeps of the whole grid that cost as much as the ladder
  double replicas = 0.0;
};
using RunKey = std::pair<std::string, std::size_t>;  // recipe, size
std::map<RunKey, std::vector<InstanceCurve>> gather_wishart(const Experiment& experiment,
                                                            const WishartPlan& plan,
                                                            std::size_t& missing);

struct ScanRow {
  std::size_t size;
  double penalty;
  Estimate score;  // mean over instances of rho, itself a mean over times from 10^3 sweeps on
};
std::vector<ScanRow> gather_scan(const Experiment& experiment, const WishartPlan& plan);
std::optional<double> best_penalty(const std::vector<ScanRow>& scan, std::size_t size);

}  // namespace chainmail::reproduce
