// Builds a ladder for a model: the paper's Algorithm 2, with its parameters as options and
// defaults that scale with the problem's own units.
#pragma once

#include <functional>

#include "device/device.hpp"
#include "grid/ladder.hpp"
#include "grid/watch.hpp"

namespace chainmail {

struct PilotOptions {
  double beta0 = 0.0;        // hottest row; 0: from the couplings
  double penalty0 = 0.0;     // first column; 0: from the couplings
  double alpha_beta = 0.95;  // step in β is alpha / σ_E: acceptance about erfc(alpha / 2) = 0.5
  double alpha_penalty = 0.95;  // step in P is alpha / (β σ_g)
  double sigma_min = 0.0;       // rows stop when σ_E falls below; 0: from the couplings
  double cold_field = 3.0;      // and a p-bit's typical field times beta is at least this
  double feasible_g = 0.02;     // columns stop when the coldest row's mean g falls below
  std::size_t extra_columns = 1;
  std::size_t max_rows = 20, max_columns = 20;
  // Starts the ladder at the coldest row that still forgets its state soon: hotter rows only
  // lengthen the way. For ladders of one column.
  bool drop_hot_rows = false;
  std::size_t chains = 16;
  std::uint64_t warmup = 200, samples = 400;  // sweeps at each point
  std::uint64_t seed = 1;
  TuningWatch watch = {};
};

// Called after each point with the share done (an estimate) and the point. Returning false stops
// the pilot.
using PilotObserver = std::function<bool(double fraction, const std::string& text)>;

Ladder run_pilot(const PhysicalModel& model, Device& device, const PilotOptions& options,
                 const PilotObserver& observer = {});

// The typical size of a p-bit's field in f and the unit of g; the defaults above are multiples.
struct Units {
  double f, g;
};
Units units_of(const PhysicalModel& model);

}  // namespace chainmail
