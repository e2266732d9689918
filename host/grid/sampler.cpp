#include "grid/sampler.hpp"

#include <algorithm>

#include "grid/initial_states.hpp"
#include "grid/watch.hpp"
#include "support/random.hpp"

namespace chainmail {

void sample(const Embedding& embedding, const Ladder& ladder, Device& device,
            const SampleOptions& options, const std::atomic<bool>& stop,
            const RoundHandler& handler, const AcceptanceRule& rule) {
  load_grids(device, embedding, ladder, 1, options.seed, 0, 1.0, {.heat_bath = true});
  ReplicaGrid grid(ladder.rows(), ladder.columns(), cell_parameters(ladder, device),
                   options.swap_sets, true, swap_seed(options.seed, 0));
  grid.use_rule(rule);
  if (options.initial.empty()) {
    write_random_states(device, embedding, 0, grid.replicas(), options.seed, 0);
  }
  for (std::size_t cell = 0; cell < options.initial.size(); ++cell) {
    device.write_spins(0, grid.replica_at(cell / grid.columns(), cell % grid.columns()),
                       options.initial[cell]);
  }
  const std::uint64_t most = most_sweeps(embedding.pbits(), grid.replicas());
  std::uint64_t burst_number = 0;
  for (std::uint64_t round = 1; options.wants(round) && !stop; ++round) {
    const BurstResult* last = nullptr;
    for (std::uint64_t left = options.sweeps_per_swap; left > 0;) {
      const std::uint64_t piece = std::min(left, most);
      device.submit(0, grid.parameters(), piece, burst_number++);
      last = &device.wait(0);
      left -= piece;
      if (left > 0 && stop) return;
    }
    const BurstResult& burst = *last;
    if (round > options.warmup_rounds) {
      handler({round - options.warmup_rounds, grid, burst, device});
    }
    if (options.swaps) grid.swap_round(round, burst.f, burst.g);
  }
}

}  // namespace chainmail
