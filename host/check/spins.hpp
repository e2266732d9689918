// The same second opinion for problems in spins, in our own JSON format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chainmail::checker {

struct SpinJudgement {
  double energy = 0.0, g = 0.0;  // the nearest doubles to what they are
  bool feasible = true;          // g is zero, exactly unless its numbers need a whole double
  double tolerance = 0.0;        // this near the optimum counts as reaching it; 0: exactly
  std::optional<double> gap;     // energy - known optimum
};

bool is_problem(std::string_view text);  // in that format
SpinJudgement judge_spins(std::string_view text, const std::string& path,
                          const std::vector<int>& spins);

}  // namespace chainmail::checker
