#include "run/flight.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

// The host's part of a round, from results to the next parameters, with all sets of swaps: 46 us
// of 400 replicas.
constexpr double kHostMicroseconds = 0.115;
// From the end of a run to the start of one that is queued: XRT's scheduler, 3 to 5 us.
constexpr double kTurnaround = 5.0;
constexpr double kEnough = 0.1;  // idle share that is not worth another grid
constexpr std::size_t kMostGrids = 8;

}  // namespace

double projected_idle(const BurstCosts& costs, std::size_t grids, std::size_t replicas,
                      std::uint64_t sweeps) {
  const auto r = static_cast<double>(replicas);
  const double burst = 1e6 * r * static_cast<double>(sweeps) / costs.clock_hz;
  const double host = kHostMicroseconds * r;
  const double copies = 2.0 * costs.sync_us;
  const double round = burst + kTurnaround + costs.launch_us + costs.replica_us * r + copies + host;
  if (!costs.overlaps) return 1.0 - burst / round;
  // The slowest part of a burst sets the pace: the unit, its thread in the worker, its thread in
  // the solver, or a grid's whole round if too few of them take turns.
  const double pace =
      std::max({burst + kTurnaround, copies, host, round / static_cast<double>(grids)});
  return 1.0 - burst / pace;
}

Flight choose_flight(const BurstCosts& costs, std::size_t ring, std::size_t replicas,
                     std::uint64_t sweeps) {
  const std::size_t most = std::clamp<std::size_t>(ring / replicas, 1, kMostGrids);
  Flight best{1, projected_idle(costs, 1, replicas, sweeps)};
  for (std::size_t grids = 2; grids <= most && best.idle > kEnough; ++grids) {
    const double idle = projected_idle(costs, grids, replicas, sweeps);
    if (idle < best.idle - 1e-9) best = {grids, idle};
  }
  return best;
}

std::uint64_t balanced_sweeps(const BurstCosts& costs, std::size_t replicas) {
  // One sweep takes (1 - idle) of its round, the way there and back the rest.
  const double idle = projected_idle(costs, 1, replicas, 1);
  return static_cast<std::uint64_t>(std::ceil(idle / (1.0 - idle)));
}

std::size_t replicas_in_flight(const BurstCosts& costs, std::size_t ring, std::uint64_t sweeps) {
  std::size_t best = 1;
  for (std::size_t grids = 1; grids <= kMostGrids; ++grids) {
    const double idle = projected_idle(costs, grids, ring / grids, sweeps);
    if (idle <= kEnough) return ring / grids;
    if (idle < projected_idle(costs, best, ring / best, sweeps)) best = grids;
  }
  return ring / best;
}

}  // namespace chainmail
