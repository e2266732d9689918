// What a run on a form model can be told; apart from the engine, so that those who only ask for a
// run do not depend on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ladder/form_options.hpp"
#include "ladder/ladder.hpp"
#include "swap/replica_grid.hpp"

namespace chainmail {

class Device;

struct FormSearchOptions {
  std::uint64_t seed = 1;
  std::uint64_t sweeps_per_swap = 2;
  SwapSets swap_sets = SwapSets::all;
  FormLadderOptions ladder = {};
  std::optional<Ladder> given;  // taken as it is, P too
  std::size_t keep = 1;         // distinct feasible states to keep
  Device* device = nullptr;     // that runs the grid; none: the CPU's threads
};

struct FormSolveOptions {
  FormSearchOptions search = {};
  std::optional<std::uint64_t> sweeps;  // of the grid; without: so many that kFormUpdates come out
  std::size_t trials = 1;
  std::size_t first_trial = 0;   // of those that share a seed; each has noise of its own
  double time_limit = 0.0;       // seconds; 0: none
  std::optional<double> target;  // stop at a feasible f this low
  std::optional<double> bound;   // no feasible f is lower
  bool impossible = false;       // there is no feasible state: only the nearest is looked for
  std::string checkpoint = {};
  double checkpoint_seconds = 10.0;
  unsigned threads = 0;  // 0: one per core
};

// Turns of bits in the grid of a run of default length: about a minute on one core where moves are
// dear, as on knapsacks. It may end after an eighth of that, when it has long found nothing better.
inline constexpr double kFormUpdates = 8e8;

}  // namespace chainmail
