// The compile-time half of the HLS kernel: one header with every constant of a topology.
#pragma once

#include <string>

#include "topology/topology.hpp"

namespace chainmail {

std::string hls_header(const Topology& topology);

// Iterations the HLS pipeline may take from reading a replica to writing it back: the distance the
// DEPENDENCE pragma states and the least length of a round of the ring. Results do not depend on
// it.
std::size_t hls_depth(const Topology& topology);

}  // namespace chainmail
