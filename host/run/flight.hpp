// How many grids a card needs in flight. A burst's way there and back costs a card's host more time
// than the burst itself lasts, so each compute unit takes turns on several grids: while one is on
// its way, the others' bursts run. More grids than a ring holds would have to bring their spins.
#pragma once

#include <cstdint>

#include "device/burst_costs.hpp"

namespace chainmail {

// Share of its time that a compute unit waits, with so many grids that take turns on it. Measured
// against the emulated card in docs/lab/overlap.md.
double projected_idle(const BurstCosts& costs, std::size_t grids, std::size_t replicas,
                      std::uint64_t sweeps);

struct Flight {
  std::size_t grids = 1;  // of one compute unit
  double idle = 0.0;      // projected
};
// As few grids of `replicas` as keep a unit busy, or as many as its ring holds.
Flight choose_flight(const BurstCosts& costs, std::size_t ring, std::size_t replicas,
                     std::uint64_t sweeps);

// The most replicas a grid may have for enough grids to find room in a ring.
std::size_t replicas_in_flight(const BurstCosts& costs, std::size_t ring, std::uint64_t sweeps);

}  // namespace chainmail
