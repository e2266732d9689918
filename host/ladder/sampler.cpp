#include "ladder/sampler.hpp"

#include "ladder/initial_states.hpp"
#include "support/random.hpp"

namespace chainmail {

void sample(const Embedding& embedding, const Ladder& ladder, Device& device,
            const SampleOptions& options, const std::atomic<bool>& stop,
            const RoundHandler& handler, const AcceptanceRule& rule) {
  load_grids(device, embedding, ladder, 1, options.seed, 0);
  ReplicaGrid grid(ladder.rows(), ladder.columns(), cell_parameters(ladder, device),
                   options.swap_sets, true, swap_seed(options.seed, 0));
  grid.use_rule(rule);
  write_random_states(device, embedding, 0, grid.replicas(), options.seed, 0);
  for (std::uint64_t round = 1; round <= options.warmup_rounds + options.rounds && !stop; ++round) {
    device.submit(0, grid.parameters(), options.sweeps_per_swap, round - 1);
    const BurstResult& burst = device.wait(0);
    if (round > options.warmup_rounds) {
      handler({round - options.warmup_rounds, grid, burst, device});
    }
    if (options.swaps) grid.swap_round(round, burst.f, burst.g);
  }
}

}  // namespace chainmail
