// What a ring's hash is made of: its options and its wiring.
#pragma once

#include <cstdint>

#include "topology/topology.hpp"

namespace chainmail {

std::uint64_t wiring_hash(const Topology& topology);

}  // namespace chainmail
