// The useful penalties. At small P the copies of a spin disagree and nothing found is feasible; at
// large P chains freeze and nothing moves. In between, where a few links are broken at a time,
// chains flip link by link and some of the next states are intact. A column at a penalty that is
// known to be the best would do as well but has to be searched for; a window between two values of
// the mean g has not.
//
// The mean g has to be that of a grid that swaps: isolated chains at one cold point keep links
// broken that swaps repair within a hundred sweeps. So a small grid is run for that long; it costs
// about forty sweeps of the run. One more column keeps the answer feasible: cold rows of the
// window's last column are often whole already, so it needs no steps in between.
#include "ladder/window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grid/sampler.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

// In units of a p-bit's field, found on Wishart problems: hotter rows only add to the way, in
// colder ones single p-bits hardly move.
constexpr double kHottest = 1.2, kColdest = 1.8;
// Swaps along beta become rarer as the root of the number of p-bits; with this many rows per p-bit
// they stay above a fifth.
constexpr double kRowsPerRoot = 0.094;
constexpr std::size_t kFewestRows = 3;
// Penalties looked at, in units of a p-bit's field in f by that in g, and how the look moves on
// when the window is not there.
constexpr double kLoosest = 1.7, kSpread = 2.1, kShift = 1.5;
constexpr int kLooks = 8;
constexpr std::uint64_t kSweepsPerSwap = 5;
constexpr double kRelaxing = 0.4;  // share of a look that is not measured

std::vector<double> rows_for(const PhysicalModel& model, const Units& units,
                             const WindowOptions& options) {
  const double hot = options.beta0 > 0.0 ? options.beta0 : kHottest / units.f;
  const double cold = hot * kColdest / kHottest;
  const double reach = kRowsPerRoot * std::sqrt(static_cast<double>(model.f.size()));
  const std::size_t wanted = std::max(kFewestRows, 1 + static_cast<std::size_t>(std::ceil(reach)));
  const std::size_t rows = std::clamp<std::size_t>(wanted, 1, options.max_rows);
  if (rows == 1) return {cold};
  std::vector<double> beta;
  for (std::size_t i = 0; i < rows; ++i) {
    beta.push_back(hot + (cold - hot) * static_cast<double>(i) / static_cast<double>(rows - 1));
  }
  return beta;
}

struct Look {
  const Embedding& embedding;
  Device& device;
  const WindowOptions& options;
  const std::atomic<bool>& stop;
  std::vector<double> beta;
  std::uint64_t replica_sweeps = 0;

  Probe at(double loosest) {
    Ladder grid;
    grid.beta = beta;
    const double steps = static_cast<double>(std::max<std::size_t>(options.probes, 2) - 1);
    for (std::size_t j = 0; j <= static_cast<std::size_t>(steps); ++j) {
      grid.penalty.push_back(loosest * std::pow(kSpread, static_cast<double>(j) / steps));
    }
    SampleOptions run;
    const std::uint64_t rounds = std::max<std::uint64_t>(2, options.sweeps / kSweepsPerSwap);
    run.warmup_rounds = static_cast<std::uint64_t>(kRelaxing * static_cast<double>(rounds));
    run.rounds = rounds - run.warmup_rounds;
    run.sweeps_per_swap = kSweepsPerSwap;
    run.swap_sets = SwapSets::all;
    run.seed = options.seed;
    Probe probe{grid.penalty, std::vector<double>(grid.columns(), 0.0)};
    sample(embedding, grid, device, run, stop, [&](const SampleRound& round) {
      for (std::size_t j = 0; j < grid.columns(); ++j) {
        const std::size_t coldest = round.grid.replica_at(grid.rows() - 1, j);
        probe.mean_g[j] += round.burst.g[coldest] / static_cast<double>(run.rounds);
      }
      options.watch.show(round.burst, round.device);
      options.watch.after_burst();
    });
    if (stop) throw TuningStopped();
    replica_sweeps += rounds * kSweepsPerSwap * grid.rows() * grid.columns();
    return probe;
  }
};

}  // namespace

std::optional<double> penalty_at(const Probe& probe, double g, double least, double most) {
  // Weights as the counts of broken links behind each point.
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  std::size_t points = 0;
  for (std::size_t j = 0; j < probe.penalty.size(); ++j) {
    const double w = probe.mean_g[j];
    if (w < least || w > most) continue;
    const double p = probe.penalty[j], log_g = std::log(w);
    n += w, x += w * p, y += w * log_g, xx += w * p * p, xy += w * p * log_g;
    ++points;
  }
  const double spread = n * xx - x * x;
  if (points < 2 || spread <= 0.0) return std::nullopt;
  const double slope = (n * xy - x * y) / spread;
  if (slope >= 0.0) return std::nullopt;
  return (std::log(g) - (y - slope * x) / n) / slope;
}

Ladder find_window(const Embedding& embedding, Device& device, const WindowOptions& options,
                   const std::atomic<bool>& stop, const PilotObserver& observer) {
  const PhysicalModel& model = embedding.model;
  const Units units = units_of(model);
  const double root = std::sqrt(static_cast<double>(model.g.couplings.size()));
  const double loose_g = options.loose_g * root, tight_g = options.tight_g * root;
  Look look{embedding, device, options, stop, rows_for(model, units, options)};

  double from = options.penalty0 > 0.0 ? options.penalty0 : kLoosest * units.f / units.g;
  Ladder window;
  window.beta = look.beta;
  double loose = 0.0, tight = 0.0, answer = 0.0;
  Probe probe;
  for (int k = 0; k < kLooks && answer == 0.0; ++k) {
    probe = look.at(from);
    if (observer &&
        !observer(static_cast<double>(k + 1) / (k + 2),
                  fmt::format("P {:.3g} to {:.3g}: mean g {:.3g} to {:.3g}", probe.penalty.front(),
                              probe.penalty.back(), probe.mean_g.front(), probe.mean_g.back()))) {
      throw TuningStopped();
    }
    const auto at = [&](double g) { return penalty_at(probe, g, tight_g / 3.0, 3.0 * loose_g); };
    if (probe.mean_g.front() < loose_g) {
      from /= kShift;
    } else if (probe.mean_g.back() > tight_g || !at(tight_g)) {
      from *= kShift;
    } else {
      loose = *at(loose_g);
      tight = *at(tight_g);
      answer = std::max(tight, options.answer_room * *at(options.answer_g));
    }
  }
  if (answer == 0.0) {  // copies of a small problem may hardly break at any penalty
    loose = probe.penalty.front();
    tight = answer = probe.penalty.back();
    window.notes.push_back(fmt::format(
        "no penalty at which chains break now and then was found (mean g {:.3g} at {:.3g}, "
        "{:.3g} at {:.3g})",
        probe.mean_g.front(), loose, probe.mean_g.back(), tight));
  }
  window.answer_beta = options.quench * window.beta.back();
  window.replica_sweeps = look.replica_sweeps;
  const std::size_t columns = options.max_replicas == 0
                                  ? options.columns
                                  : std::min(options.columns, options.max_replicas / window.rows());
  const std::size_t inner = std::max<std::size_t>(columns, 2) - 1;
  for (std::size_t j = 0; j < inner; ++j) {
    const double share = inner > 1 ? static_cast<double>(j) / static_cast<double>(inner - 1) : 0.5;
    window.penalty.push_back(loose + (tight - loose) * share);
  }
  window.penalty.push_back(answer);
  return window;
}

}  // namespace chainmail
