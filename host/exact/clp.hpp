// COIN-OR's simplex code, if this machine has it: loaded on first use, so that neither build nor
// installation depends on it.
#pragma once

#include <optional>
#include <vector>

namespace chainmail {

// min cost x, row_lower <= A x <= row_upper, lower <= x <= upper; A by columns.
struct LinearProgram {
  std::vector<int> start{0}, row;
  std::vector<double> value;
  std::vector<double> cost, lower, upper;
  std::vector<double> row_lower, row_upper;  // infinite: none
};

// Multipliers of the rows; nothing without Clp, or where it found no optimum in its time.
std::optional<std::vector<double>> row_duals(const LinearProgram& program);

}  // namespace chainmail
