// The ladder of a model with forms: anneals from the start find how large the penalty must be, and
// what they measure on the way gives the rows. Their ends (Ladder::starts) are the first replicas
// of the run.
#pragma once

#include "ladder/pilot.hpp"

namespace chainmail {

struct AnnealedOptions {
  std::uint64_t seed = 1;
  FormMoves moves = {};
  std::vector<Spin> start = {};  // of every anneal; empty: as near to zero as groups allow
  std::size_t most_rows = 24, columns = 4;
  TuningWatch watch = {};
};

// The size of f's changes: rms over bits of the change by a flip.
double energy_unit(const FormModel& model);

// How many replicas are annealed side by side.
inline constexpr std::size_t kAnnealed = 6;

// Throws TuningStopped.
Ladder annealed_ladder(const PhysicalModel& model, Device& device, const AnnealedOptions& options,
                       const PilotObserver& observer = {});

}  // namespace chainmail
