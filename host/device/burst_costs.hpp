// What a burst on a card costs besides its sweeps: the way to the card and back. A card's figures
// are in its board file (constraints/), an emulated card's on the command line.
#pragma once

#include <cstddef>

namespace chainmail {

struct BurstCosts {
  double launch_us = 0.0;   // from requesting a run to its start, when nothing else runs
  double sync_us = 0.0;     // a copy of a buffer, either way
  double clock_hz = 250e6;  // one sweep of one replica per clock
  std::size_t units = 1;    // compute units, each with its own ring
};

}  // namespace chainmail
