// A run as a submission to QOBLIB, the Quantum Optimization Benchmarking Library: a folder with a
// table of one row, the solutions, and the objective over time, as its CONTRIBUTING.md has them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

// The instance that a file holds, by its name: C500-9 of lp/C500-9.lp.xz. It names the folder.
std::string qoblib_instance(const std::string& file);

// Throws UsageError for what QOBLIB does not have: variables of other kinds than a model's or 0, 1.
void expect_qoblib(const Source& source);

struct Submission {
  std::string instance, command_line;
  double seconds;  // since the command began
};
// Names and contents of the folder's files. The result is feasible.
std::vector<std::pair<std::string, std::string>> to_qoblib(const Result& result,
                                                           const Source& source,
                                                           const Submission& submission);

}  // namespace chainmail
