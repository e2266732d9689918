// What the driver should know about cards, from the board files (constraints/); the table is
// written at build time by write_topology.
#pragma once

#include <string>
#include <vector>

#include "device/burst_costs.hpp"

namespace chainmail {

struct BoardFacts {
  std::string board;   // as BOARD= names it
  std::string device;  // how the name begins that XRT gives it
  BurstCosts costs;
};
const std::vector<BoardFacts>& known_boards();

// The card with this XRT name; null: no board file describes it.
const BoardFacts* board_of(const std::string& device);

// "launch=60us,sync=25us" (us or ms, either may be missing), or the name of a board file. Throws
// UsageError.
BurstCosts parse_latency(const std::string& text);

}  // namespace chainmail
