// The ladder for chains that are resampled whole (--moves chain): penalties so large that chains
// hardly break even in the hottest row, and the rows the problem would have without copies.
#pragma once

#include "ladder/pilot.hpp"

namespace chainmail {

// Options of a pilot with one rigid column; changes only defaults.
PilotOptions rigid_pilot(const PhysicalModel& model, PilotOptions options);

// The pilot's rows side by side, at penalties from its own on. 0 columns: as many as make about 240
// replicas.
Ladder rigid_columns(const Ladder& pilot, std::size_t columns);

}  // namespace chainmail
