// The flip kernel's kind of topology: N spins, all coupled to all, with couplings and every
// replica's fields on the chip (docs/flips.md). Called by make_topology() alone.
#pragma once

#include "topology/topology.hpp"

namespace chainmail {

Topology make_flips_topology(const TopologyOptions& options);

// Where a replica's parameters count the sweeps it skips: from this bit on, above beta P.
unsigned left_out_bit(const TopologyOptions& options);

}  // namespace chainmail
