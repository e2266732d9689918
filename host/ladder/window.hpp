// The useful part of a grid for chains of copies: rows where single p-bits still move, and the
// penalties between "chains break often" and "now and then", found by a short run of a small grid.
#pragma once

#include <atomic>

#include "embedding/embedding.hpp"
#include "ladder/pilot.hpp"

namespace chainmail {

struct WindowOptions {
  // Mean g of the coldest row at the first column and at the last of the window, in units of the
  // root of the number of links: chains move when a share of all links is broken, a state is
  // feasible when none is, and what is best for a search lies between.
  double loose_g = 0.42, tight_g = 0.18;
  std::size_t max_rows = 20, columns = 36;  // columns with the answer's
  std::size_t max_replicas = 0;             // fewer columns where a device has no more; 0: it has
  double answer_g = 0.02;                   // the answer's penalty: where mean g falls to this,
  double answer_room = 1.1;                 // times this
  double quench = 2.0;                      // beta of the answer's cell, by that of its row
  // Of the short run.
  std::uint64_t sweeps = 120;
  std::size_t probes = 12;  // its columns
  double beta0 = 0.0;       // hottest row; 0: from the couplings
  double penalty0 = 0.0;    // first column to look at; 0: from the couplings
  std::uint64_t seed = 1;
  TuningWatch watch = {};
};

// What a short run saw: mean g of the coldest row by penalty, ascending.
struct Probe {
  std::vector<double> penalty, mean_g;
};

Ladder find_window(const Embedding& embedding, Device& device, const WindowOptions& options,
                   const std::atomic<bool>& stop, const PilotObserver& observer = {});

// ln g falls linearly with P where it matters: the penalty at which the mean g is `g`, by a fit to
// the columns with mean g between `least` and `most`. None when the probe does not reach there.
std::optional<double> penalty_at(const Probe& probe, double g, double least, double most);

}  // namespace chainmail
