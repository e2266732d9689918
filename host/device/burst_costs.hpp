// What a burst on a card or a board costs besides its sweeps: the way there and back. A card's
// figures are in its board file (constraints/), an emulated card's on the command line; a board on
// a serial line says how fast it is, and the line's rate is known.
#pragma once

#include <cstddef>

namespace chainmail {

struct BurstCosts {
  double launch_us = 0.0;   // from requesting a run to its start, when nothing else runs
  double sync_us = 0.0;     // a copy of a buffer, either way
  double clock_hz = 250e6;  // one sweep of one replica per clock
  std::size_t units = 1;    // compute units, each with its own ring
  double replica_us = 0.0;  // a serial line, for each replica of a burst
  bool overlaps = true;     // a burst runs while others are on their way
};

}  // namespace chainmail
