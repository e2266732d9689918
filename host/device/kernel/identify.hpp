// Which kernel answers: from the status block a device sends to the topology it was built from.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "topology/topology.hpp"

namespace chainmail {

// The topology described by a kernel's status block; its hash decides which placement it was. Of an
// array wired for a graph, the file has the edges. Throws DeviceError, with `label` in front, if
// this program does not know it.
Topology topology_of(std::span<const std::uint64_t> status, const std::string& label,
                     const std::string& edges_file = {});

}  // namespace chainmail
