#include "report/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/format.hpp"

namespace chainmail {

Verdict verdict_of(const Result& result) {
  if (!result.infeasible.empty()) return Verdict::impossible;
  if (!result.best.feasible) return Verdict::infeasible;
  if (result.proved) return Verdict::proved;
  if (!result.known_optimum) return Verdict::unknown;
  const double optimum = *result.known_optimum;
  const double gap = result.best.energy - optimum;
  if (std::abs(gap) <= std::max(result.gap_tolerance, result.rounding)) return Verdict::optimum;
  return gap > 0.0 ? Verdict::above : Verdict::below;
}

double in_users_terms(double energy, const Result& result) {
  return result.scale * energy + result.shift;
}

std::optional<double> gap_of(const Result& result) {
  if (!result.known_optimum) return {};
  const double optimum = in_users_terms(*result.known_optimum, result);
  const double gap = std::abs(in_users_terms(result.best.energy, result) - optimum);
  const double share = gap / std::abs(optimum);
  return std::isfinite(share) ? std::optional(share) : std::nullopt;
}

namespace {

// An answer this near to a bound differs from it by rounding alone, in any objective people write.
constexpr double kNearlyProved = 1e-4;

std::optional<double> distance_to_bound(const Result& result) {
  if (!result.bound || !result.best.feasible) return {};
  return std::abs(result.scale * (result.best.energy - *result.bound));
}

}  // namespace

std::optional<double> gap_to_bound(const Result& result) {
  const auto distance = distance_to_bound(result);
  if (!distance) return {};
  if (result.proved || *distance == 0.0) return 0.0;
  const double share = *distance / std::abs(result.objective);
  return std::isfinite(share) ? std::optional(share) : std::nullopt;
}

namespace {

std::string missed_by(const Result& result) {
  const bool more_is_better = result.scale < 0.0;
  const std::string side = more_is_better ? "below" : "above";
  if (const auto gap = gap_of(result)) {
    return fmt::format("{} the known optimum by {} %", side, number_text(100.0 * *gap, 2));
  }
  return fmt::format(
      "{} the known optimum by {}", side,
      number_text(std::abs(result.scale) * (result.best.energy - *result.known_optimum)));
}

std::string nothing_feasible(const Result& result) {
  const std::string what = result.constrained ? "no feasible state found"
                                              : "no state found in which all chains hold together";
  return fmt::format("{}: g = {} in the closest; more sweeps may help", what,
                     number_text(result.best.g));
}

}  // namespace

std::string verdict_text(const Result& result) {
  const std::string feasible = result.constrained ? "feasible, " : "";
  if (result.no_objective && result.best.feasible) {
    return "feasible: a solution was found, and the model has no objective";
  }
  switch (verdict_of(result)) {
    case Verdict::proved:
      return fmt::format("optimal, proved by {}", result.bound_by);
    case Verdict::optimum:
      if (result.gap_tolerance == 0.0) return "optimum reached";
      return fmt::format("optimum reached within {:.1g}", result.gap_tolerance);
    case Verdict::above:
      return feasible + missed_by(result);
    case Verdict::below:
      return feasible + "better than the stated optimum: that number is not the optimum";
    case Verdict::unknown:
      // As an amount, not as a share: a constant in the objective must not make an answer look
      // good. The resolution of a double of this size counts as distance, too.
      if (const auto distance = distance_to_bound(result)) {
        const double within =
            *distance + std::abs(result.objective) * std::numeric_limits<double>::epsilon();
        if (within < kNearlyProved && *distance == 0.0 && result.gap_tolerance == 0.0) {
          return fmt::format("{}optimal by its own bound, {}; not checked", feasible,
                             result.bound_by);
        }
        if (within < kNearlyProved) {
          return fmt::format("{}optimal within {:.0e}, by {}", feasible, within, result.bound_by);
        }
      }
      return feasible + "optimum not known";
    case Verdict::impossible:
      return "no solution exists: " + result.infeasible;
    case Verdict::infeasible:
      break;
  }
  return nothing_feasible(result);
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

bool moved(const Result& result) {
  return std::any_of(result.walks.begin(), result.walks.end(),
                     [](const auto& walk) { return walk.size() > 1; });
}

bool swept(const Result& result) {
  return result.updates > 0;
}

Spent spent_in(const Result& result) {
  if (swept(result)) return {result.seconds, result.tune_seconds};
  return {result.seconds + result.tune_seconds, 0.0};
}

std::string ending_of(const Result& result) {
  return result.no_objective && result.stopped_by == "bound" ? "a solution" : result.stopped_by;
}

bool enough_swaps(const Result& result) {
  constexpr std::uint64_t kRounds = 100;
  const std::uint64_t sweeps = result.trace.empty() ? 0 : result.trace.back().sweep;
  return sweeps >= kRounds * result.sweeps_per_swap;
}

std::optional<AcceptanceDigest> digest(std::vector<std::vector<double>> acceptance,
                                       const Ladder& ladder) {
  const bool has_pair = !acceptance.empty() && !acceptance.back().empty();
  if (ladder.answer_beta > 0.0 && has_pair) acceptance.back().pop_back();
  return digest(acceptance);
}

}  // namespace chainmail
