#include "report/digest.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

Verdict verdict_of(const Result& result) {
  if (!result.best.feasible) return Verdict::infeasible;
  if (!result.known_optimum) return Verdict::unknown;
  const double optimum = *result.known_optimum;
  const double gap = result.best.energy - optimum;
  const double slack = 1e-9 * std::max(1.0, std::abs(optimum));
  if (std::abs(gap) <= slack) return Verdict::optimum;
  return gap > 0.0 ? Verdict::above : Verdict::below;
}

std::string sentence(Verdict verdict) {
  switch (verdict) {
    case Verdict::optimum:
      return "optimum reached";
    case Verdict::above:
      return "feasible, above the known optimum";
    case Verdict::below:
      return "feasible, below the stated optimum: that number is not the optimum";
    case Verdict::unknown:
      return "feasible, optimum not known";
    case Verdict::infeasible:
      break;
  }
  return "no feasible state found";
}

std::optional<AcceptanceDigest> digest(const std::vector<std::vector<double>>& acceptance) {
  AcceptanceDigest found;
  double sum = 0.0;
  std::size_t pairs = 0;
  for (std::size_t row = 0; row < acceptance.size(); ++row) {
    for (std::size_t column = 0; column < acceptance[row].size(); ++column) {
      const double value = acceptance[row][column];
      if (!std::isfinite(value)) continue;
      if (pairs == 0 || value < found.min) {
        found.min = value;
        found.min_row = row;
        found.min_column = column;
      }
      sum += value;
      ++pairs;
    }
  }
  if (pairs == 0) return std::nullopt;
  found.mean = sum / static_cast<double>(pairs);
  return found;
}

std::optional<AcceptanceDigest> digest(std::vector<std::vector<double>> acceptance,
                                       const Ladder& ladder) {
  const bool has_pair = !acceptance.empty() && !acceptance.back().empty();
  if (ladder.answer_beta > 0.0 && has_pair) acceptance.back().pop_back();
  return digest(acceptance);
}

}  // namespace chainmail
