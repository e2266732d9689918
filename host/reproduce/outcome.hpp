// What an experiment leaves: verdicts on its targets and the tables for docs/lab/results.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reproduce/experiment.hpp"
#include "reproduce/statistics.hpp"

namespace chainmail::reproduce {

struct Target {
  std::string figure, what;
  std::optional<bool> met;  // nothing: the data or the published curves to judge it are missing
  std::string found;        // with numbers
};

struct Outcome {
  std::vector<Target> targets;
  std::string markdown;     // tables
  std::size_t missing = 0;  // records of the experiment that are not there (yet)
};

std::string verdicts(const std::vector<Target>& targets);

// "0.012 [0.010, 0.015]"
std::string with_interval(const Estimate& estimate, int digits = 3);

Outcome reproduce_fig1(const ExperimentOptions& options, const std::atomic<bool>& stop,
                       const TaskObserver& observer);
Outcome reproduce_fig2(const ExperimentOptions& options, const std::atomic<bool>& stop,
                       const TaskObserver& observer);
Outcome reproduce_fig3(const ExperimentOptions& options, const std::atomic<bool>& stop,
                       const TaskObserver& observer);
Outcome reproduce_mimo(const ExperimentOptions& options, const std::atomic<bool>& stop,
                       const TaskObserver& observer);

}  // namespace chainmail::reproduce
