// How many grids a card needs in flight. Getting a burst to the card and back takes longer than the
// burst itself, so each compute unit takes turns on several grids: while one is in transit, the
// others' bursts run. More grids than a ring holds would have to bring their spins.
#pragma once

#include <cstdint>

#include "device/burst_costs.hpp"

namespace chainmail {

// Share of its time that a compute unit is idle, with this many grids that take turns on it.
// Measured against the emulated card in docs/lab/overlap.md.
double projected_idle(const BurstCosts& costs, std::size_t grids, std::size_t replicas,
                      std::uint64_t sweeps);

struct Flight {
  std::size_t grids = 1;  // of one compute unit
  double idle = 0.0;      // projected
};
// As few grids of `replicas` as keep a unit busy, or as many as its ring holds.
Flight choose_flight(const BurstCosts& costs, std::size_t ring, std::size_t replicas,
                     std::uint64_t sweeps);

// The most replicas a grid may have so that enough grids fit in a ring.
std::size_t replicas_in_flight(const BurstCosts& costs, std::size_t ring, std::uint64_t sweeps);

}  // namespace chainmail
