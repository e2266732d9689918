#include "solve/initial_states.hpp"

#include <algorithm>

#include "support/random.hpp"

namespace chainmail {

namespace {
constexpr std::uint64_t kNoiseStream = 0x6e6f697365, kSwapStream = 0x73776170,
                        kInitialStream = 0x696e6974;
}

void load_grids(Device& device, const Embedding& embedding, const Schedule& schedule,
                std::size_t grids, std::uint64_t seed, std::size_t first_trial,
                double penalty_room) {
  device.load(embedding.model, {.grids = grids,
                                .replicas = schedule.rows() * schedule.columns(),
                                .seed = hash_of(seed, {kNoiseStream}) + first_trial,
                                .beta_min = schedule.beta.front(),
                                .beta_max = std::max(schedule.beta.back(), schedule.answer_beta),
                                .penalty_max = penalty_room * schedule.penalty.back()});
}

std::uint64_t swap_seed(std::uint64_t seed, std::size_t trial) {
  return hash_of(seed, {kSwapStream, trial});
}

void write_random_states(Device& device, const Embedding& embedding, std::size_t grid,
                         std::size_t replicas, std::uint64_t seed, std::size_t trial) {
  std::vector<Spin> spins(embedding.pbits());
  for (std::size_t replica = 0; replica < replicas; ++replica) {
    Engine engine(hash_of(seed, {kInitialStream, trial, replica}));
    for (Spin& spin : spins) spin = engine() >> 63 ? 1 : -1;
    device.write_spins(grid, replica, spins);
  }
}

std::vector<Parameters> cell_parameters(const Schedule& schedule, const Device& device) {
  std::vector<Parameters> cells;
  cells.reserve(schedule.rows() * schedule.columns());
  for (double beta : schedule.beta) {
    for (double penalty : schedule.penalty)
      cells.push_back(device.quantise({beta, beta * penalty}));
  }
  if (schedule.answer_beta > 0.0) {
    cells.back() =
        device.quantise({schedule.answer_beta, schedule.answer_beta * schedule.penalty.back()});
  }
  return cells;
}

}  // namespace chainmail
