// How many grids a card needs in flight, or how many sweeps a board's bursts. Getting a burst to
// the card and back takes longer than the burst itself, so each compute unit takes turns on several
// grids: while one is in transit, the others' bursts run. More grids than a ring holds would have
// to bring their spins. A board on a serial line does one thing at a time: there only longer bursts
// help.
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

// Sweeps of a burst that takes as long as its way there and back: the unit is idle half of the
// time, and a run gets at least half of the swaps and half of the sweeps that its time allows.
std::uint64_t balanced_sweeps(const BurstCosts& costs, std::size_t replicas);

// The most replicas a grid may have so that enough grids fit in a ring.
std::size_t replicas_in_flight(const BurstCosts& costs, std::size_t ring, std::uint64_t sweeps);

}  // namespace chainmail
