#include "grid/initial_states.hpp"

#include <algorithm>

#include "problem/bits.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {
constexpr std::uint64_t kNoiseStream = 0x6e6f697365, kSwapStream = 0x73776170,
                        kInitialStream = 0x696e6974;
}

void load_grids(Device& device, const Embedding& embedding, const Ladder& ladder, std::size_t grids,
                std::uint64_t seed, std::size_t first_trial, double penalty_room,
                const FormMoves& moves, double skip_below) {
  device.load(embedding.model, {.grids = grids,
                                .replicas = ladder.rows() * ladder.columns(),
                                .seed = hash_of(seed, {kNoiseStream}) + first_trial,
                                .beta_min = ladder.beta.front(),
                                .beta_max = std::max(ladder.beta.back(), ladder.answer_beta),
                                .penalty_max = penalty_room * ladder.penalty.back(),
                                .moves = moves,
                                .skip_below = skip_below});
}

std::uint64_t swap_seed(std::uint64_t seed, std::size_t trial) {
  return hash_of(seed, {kSwapStream, trial});
}

void write_random_states(Device& device, const Embedding& embedding, std::size_t grid,
                         std::size_t replicas, std::uint64_t seed, std::size_t trial) {
  const FormModel* forms = embedding.model.forms.get();
  std::vector<Spin> spins =
      forms ? spins_of(forms->origin()) : std::vector<Spin>(embedding.pbits());
  for (std::size_t replica = 0; replica < replicas && forms; ++replica) {
    device.write_spins(grid, replica, spins);
  }
  if (forms) return;
  for (std::size_t replica = 0; replica < replicas; ++replica) {
    Engine engine(hash_of(seed, {kInitialStream, trial, replica}));
    for (Spin& spin : spins) spin = engine() >> 63 ? 1 : -1;
    device.write_spins(grid, replica, spins);
  }
}

std::vector<Parameters> cell_parameters(const Ladder& ladder, const Device& device) {
  std::vector<Parameters> cells;
  cells.reserve(ladder.rows() * ladder.columns());
  for (double beta : ladder.beta) {
    for (double penalty : ladder.penalty) cells.push_back(device.quantise({beta, beta * penalty}));
  }
  if (ladder.answer_beta > 0.0) {
    cells.back() =
        device.quantise({ladder.answer_beta, ladder.answer_beta * ladder.penalty.back()});
  }
  return cells;
}

}  // namespace chainmail
