// How a run begins on a device: grids loaded for a ladder, cells with the parameters the device
// really uses, random states. All seeds of a run derive here from the user's one.
#pragma once

#include "device/device.hpp"
#include "embedding/embedding.hpp"
#include "grid/ladder.hpp"

namespace chainmail {

// Penalties may later grow to `penalty_room` times the ladder's largest. Trial t's noise, swaps and
// initial states depend on (seed, t) only, whatever else is in flight.
void load_grids(Device& device, const Embedding& embedding, const Ladder& ladder, std::size_t grids,
                std::uint64_t seed, std::size_t first_trial, double penalty_room = 1.0,
                const FormMoves& moves = {}, double skip_below = 0.0);
std::uint64_t swap_seed(std::uint64_t seed, std::size_t trial);
// Models with forms start as near to zero as their groups allow, in every replica.
void write_random_states(Device& device, const Embedding& embedding, std::size_t grid,
                         std::size_t replicas, std::uint64_t seed, std::size_t trial);

// By cell, row * columns + column.
std::vector<Parameters> cell_parameters(const Ladder& ladder, const Device& device);

}  // namespace chainmail
