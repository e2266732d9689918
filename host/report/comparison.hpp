// Several ways to solve the same problems, side by side: a table for the terminal, and one HTML
// page with a curve for each way and the same table.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace chainmail {

struct Contestant {
  std::string name;
  std::string options;              // what to type after 'chainmail solve FILE'; of others, nothing
  std::optional<double> objective;  // of its best feasible state
  std::string verdict;              // or why it could not be run
  std::vector<std::pair<double, double>> course;  // seconds, best so far
  double seconds = 0.0;
};

struct Comparison {
  std::string problem;
  std::string size;       // "60 variables, 1 constraint"
  std::string objective;  // its name
  bool maximise = false;
  std::vector<Contestant> contestants;
};

std::string to_text(const Comparison& comparison);
std::string to_html(const std::vector<Comparison>& comparisons, const std::string& command_line);

}  // namespace chainmail
