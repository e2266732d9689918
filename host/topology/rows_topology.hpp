// The row kernel's kind of topology: N spins, all coupled to all, whose couplings stream by
// (docs/rows.md). Called by make_topology() alone.
#pragma once

#include "topology/topology.hpp"

namespace chainmail {

Topology make_rows_topology(const TopologyOptions& options);

// What rows and flips have in common: a spin a p-bit, a stream a lane, widths.
Topology fully_coupled(const TopologyOptions& options, unsigned field_bits);

}  // namespace chainmail
