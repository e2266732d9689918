// Where the penalty pays. At small P the copies of a spin go their own ways and nothing that is
// found is feasible; at large P chains freeze and nothing moves. Feasible states are found in
// between, where the coldest row has one or two broken links: there a chain turns over link by
// link, and the next replica is whole. A column at a penalty that is known to be the best would do
// as well but has to be searched for; a window between two values of the mean g of a pilot has not.
// One more column holds the answer feasible: cold rows of the window's last column are mostly whole
// already, so it needs no steps in between.
#include "schedule/window.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace chainmail {

namespace {

// In units of a p-bit's field (f) and of g, found on Wishart problems: hotter rows only add to the
// way, in colder ones single p-bits hardly move, and below the first penalty too many links break.
constexpr double kHottest = 0.75;
constexpr double kFrozen = 2.2;
constexpr double kLoosest = 1.8;
// Mean g is all a window needs; it shows in fewer sweeps than sigma does.
constexpr std::uint64_t kWarmup = 30, kSamples = 50;

// Where the mean g of the coldest row falls to `g`: linear in log g between columns.
double penalty_at(const Schedule& pilot, double g) {
  constexpr double kLeast = 1e-3;  // short pilots see none at all
  const std::vector<double>& cold = pilot.mean_g.back();
  const std::vector<double>& penalty = pilot.penalty;
  for (std::size_t j = 0; j + 1 < penalty.size(); ++j) {
    if (!(cold[j] >= g && cold[j + 1] < g)) continue;
    const double high = std::log(cold[j]), low = std::log(std::max(cold[j + 1], kLeast));
    return penalty[j] + (penalty[j + 1] - penalty[j]) * (high - std::log(g)) / (high - low);
  }
  return cold.front() < g ? penalty.front() : penalty.back();
}

// Leaves what is not at its default.
PilotOptions cheaper(PilotOptions options, const Units& units) {
  const PilotOptions usual;
  if (options.warmup == usual.warmup) options.warmup = kWarmup;
  if (options.samples == usual.samples) options.samples = kSamples;
  if (options.alpha_penalty == usual.alpha_penalty) options.alpha_penalty *= 2.0;
  if (options.beta0 == 0.0) options.beta0 = kHottest / units.f;
  if (options.penalty0 == 0.0) options.penalty0 = kLoosest * units.f / units.g;
  if (options.sigma_min == 0.0) {
    options.sigma_min = std::numeric_limits<double>::max();  // the field alone says what is cold
    options.cold_field = kFrozen;
  }
  return options;
}

}  // namespace

Schedule find_window(const Model& model, Device& device, const PilotOptions& pilot,
                     const WindowOptions& options, const PilotObserver& observer) {
  const Units units = units_of(model);
  const PilotOptions cheap = cheaper(pilot, units);
  return window_of(run_pilot(model, device, cheap, observer), kFrozen / units.f, options);
}

Schedule window_of(const Schedule& pilot, double coldest, const WindowOptions& options) {
  Schedule window;
  window.replica_sweeps = pilot.replica_sweeps;
  for (double beta : pilot.beta) {
    if (beta <= coldest || window.beta.empty()) window.beta.push_back(beta);
  }
  window.answer_beta = options.quench * window.beta.back();
  const double loose = penalty_at(pilot, options.loose_g);
  const double tight = penalty_at(pilot, options.tight_g);
  const std::size_t steps = std::max<std::size_t>(options.columns, 3) - 2;
  for (std::size_t j = 0; j <= steps; ++j) {
    const double share = static_cast<double>(j) / static_cast<double>(steps);
    window.penalty.push_back(loose + (tight - loose) * share);
  }
  const double answer = options.answer_room * penalty_at(pilot, options.answer_g);
  window.penalty.push_back(std::max(answer, tight));
  // The copies of a small problem may hardly break at any penalty: then there is no window.
  window.penalty.erase(std::unique(window.penalty.begin(), window.penalty.end()),
                       window.penalty.end());
  if (pilot.mean_g.back().back() > options.answer_g) {
    window.notes.push_back(
        fmt::format("the pilot's coldest row still violates constraints (mean g {:.3g}) after {} "
                    "columns; allow more with --columns",
                    pilot.mean_g.back().back(), pilot.columns()));
  }
  return window;
}

}  // namespace chainmail
