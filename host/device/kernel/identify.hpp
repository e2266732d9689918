// Which kernel answers: from the status block a device sends to the topology it was built from.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "topology/topology.hpp"

namespace chainmail {

// The topology a kernel's status block tells of; its hash decides which placement it was. Throws
// DeviceError, with `label` in front, when this program makes no such topology.
Topology topology_of(std::span<const std::uint64_t> status, const std::string& label);

}  // namespace chainmail
