// The compile-time half of the RTL kernel: a SystemVerilog package with every constant of a
// topology, and the module that holds its wires.
#pragma once

#include <string>

#include "topology/topology.hpp"

namespace chainmail {

std::string rtl_package(const Topology& topology);  // topology_pkg.sv
std::string rtl_wiring(const Topology& topology);   // cm_stage_wiring.sv

// What the pipeline looks like in clocks; the numbers of the package, for tests and reports.
struct RtlTiming {
  std::size_t tree_levels;    // of the field's adder tree
  std::size_t stage_latency;  // of a colour
  std::size_t energy_levels;  // of the largest colour's energy tree
  std::size_t depth;          // least clocks between two slots of one replica
};
RtlTiming rtl_timing(const Topology& topology);

}  // namespace chainmail
