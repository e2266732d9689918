// The ladder for chains that are resampled whole (--moves chain): penalties so large that chains
// hardly break even in the hottest row, and the rows the problem would have without copies.
#pragma once

#include "schedule/pilot.hpp"

namespace chainmail {

// Options of a pilot with one rigid column; leaves what is not at its default.
PilotOptions rigid_pilot(const Model& model, PilotOptions options);

// The pilot's rows side by side, at penalties from its own on. 0 columns: as many as make about 240
// replicas.
Schedule rigid_columns(Schedule pilot, std::size_t columns);

}  // namespace chainmail
