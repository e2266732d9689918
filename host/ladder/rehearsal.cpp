// The pilot measures each point on its own and misses what only shows when states travel: at the
// coldest rows the best states of two neighbouring penalties can differ by many broken links, and
// the pair between them hardly ever swaps. The rehearsal runs the grid for a while with frequent
// swaps, turns the acceptance of every pair into a length (Gaussian theory: a = erfc(l / 2)) and
// cuts gaps that are too long in equal parts.
#include "ladder/rehearsal.hpp"
#include "support/counted.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

namespace chainmail {

namespace {

// Lengths are no longer than this, whatever was (not) accepted in a short run.
constexpr double kLeastAcceptance = 1e-3;

double length_of(double acceptance) {
  return 2.0 * boost::math::erfc_inv(std::clamp(acceptance, kLeastAcceptance, 1.0));
}

// Per gap of one direction, the longest over the other.
std::vector<double> gap_lengths(const AcceptanceTable& table, bool along_rows) {
  std::vector<double> gaps(along_rows ? table.size() : table.front().size(), 0.0);
  for (std::size_t row = 0; row < table.size(); ++row) {
    for (std::size_t column = 0; column < table[row].size(); ++column) {
      double& gap = gaps[along_rows ? row : column];
      gap = std::max(gap, length_of(table[row][column]));
    }
  }
  return gaps;
}

}  // namespace

std::vector<double> with_rungs(const std::vector<double>& ladder, const std::vector<double>& gaps,
                               double longest, std::size_t max_rungs) {
  std::vector<std::size_t> parts(gaps.size(), 1);
  std::size_t rungs = ladder.size();
  const auto length = [&](std::size_t gap) { return gaps[gap] / static_cast<double>(parts[gap]); };
  while (rungs < max_rungs && !gaps.empty()) {
    std::size_t worst = 0;
    for (std::size_t gap = 1; gap < gaps.size(); ++gap) {
      if (length(gap) > length(worst)) worst = gap;
    }
    if (length(worst) <= longest) break;
    ++parts[worst];
    ++rungs;
  }
  std::vector<double> finer{ladder.front()};
  for (std::size_t gap = 0; gap < gaps.size(); ++gap) {
    const double step = (ladder[gap + 1] - ladder[gap]) / static_cast<double>(parts[gap]);
    for (std::size_t part = 1; part < parts[gap]; ++part) {
      finer.push_back(ladder[gap] + step * static_cast<double>(part));
    }
    finer.push_back(ladder[gap + 1]);
  }
  return finer;
}

Ladder rehearse(const Embedding& embedding, const Ladder& ladder, Device& device,
                const RehearsalOptions& options, const std::atomic<bool>& stop,
                const std::function<void(double)>& observer) {
  if (ladder.rows() * ladder.columns() == 1 || options.sweeps < options.sweeps_per_swap) {
    return ladder;
  }
  SampleOptions run;
  run.rounds = options.sweeps / options.sweeps_per_swap;
  run.warmup_rounds = 0;
  run.sweeps_per_swap = options.sweeps_per_swap;
  run.swap_sets = SwapSets::all;
  run.seed = options.seed;
  SwapStatistics before, total;
  sample(embedding, ladder, device, run, stop, [&](const SampleRound& round) {
    // The first half is relaxation from random states, not the run's acceptance.
    if (round.number == run.rounds / 2) before = round.grid.statistics();
    total = round.grid.statistics();
    options.watch.show(round.burst, round.device);
    options.watch.after_burst();
    if (observer) observer(static_cast<double>(round.number) / static_cast<double>(run.rounds));
  });
  if (stop) throw TuningStopped();
  total -= before;

  const double longest = length_of(options.weakest);
  std::vector<double> rows = ladder.beta, columns = ladder.penalty;
  if (ladder.rows() > 1) {
    rows = with_rungs(ladder.beta, gap_lengths(acceptance_beta(total, ladder.columns()), true),
                      longest, options.max_rows);
  }
  if (ladder.columns() > 1) {
    columns =
        with_rungs(ladder.penalty, gap_lengths(acceptance_penalty(total, ladder.columns()), false),
                   longest, options.max_columns);
  }
  const bool same = rows == ladder.beta && columns == ladder.penalty;
  Ladder finer = same ? ladder : ladder.with_rows(std::move(rows)).with_columns(std::move(columns));
  finer.replica_sweeps += run.rounds * run.sweeps_per_swap * ladder.rows() * ladder.columns();
  if (!same) {
    finer.notes.push_back(fmt::format("a rehearsal added {} and {} where neighbours hardly swapped",
                                      counted(finer.rows() - ladder.rows(), "row"),
                                      counted(finer.columns() - ladder.columns(), "column")));
  }
  return finer;
}

}  // namespace chainmail
