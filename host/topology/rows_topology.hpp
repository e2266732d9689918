// The row kernel's kind of topology: N spins, all coupled to all, whose couplings stream by
// (docs/rows.md). Called by make_topology() alone.
#pragma once

#include "topology/topology.hpp"

namespace chainmail {

Topology make_rows_topology(const TopologyOptions& options);

// Common to rows and flips: which forms there can be; noise of groups; one spin per p-bit, one
// stream per lane, widths.
void check_form_options(const TopologyOptions& options);
std::uint64_t hash_gumbel(std::uint64_t hash);
Topology fully_coupled(const TopologyOptions& options, unsigned field_bits);

}  // namespace chainmail
