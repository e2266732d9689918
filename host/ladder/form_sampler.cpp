#include "ladder/form_sampler.hpp"

#include "support/random.hpp"

namespace chainmail {

void sample_forms(const FormModel& model, const Ladder& ladder, FormMembers& members,
                  const SampleOptions& options, const std::atomic<bool>& stop,
                  const FormRoundHandler& handler) {
  constexpr FormMoves kBalanced{.heat_bath = true};  // without chains
  static_assert(kBalanced.chains == 0.0);
  const FormPlan plan(model);
  std::vector<Parameters> cells;
  for (double beta : ladder.beta) {
    for (double penalty : ladder.penalty) cells.push_back({beta, beta * penalty});
  }
  FormGroup engine(plan, cells.size(), hash_of(options.seed, {4}), members);
  ReplicaGrid grid(ladder.rows(), ladder.columns(), cells, options.swap_sets, true,
                   hash_of(options.seed, {5}));
  std::vector<double> f(cells.size()), g(cells.size());
  for (std::uint64_t round = 1; options.wants(round); ++round) {
    for (std::uint64_t sweep = 0; sweep < options.sweeps_per_swap; ++sweep) {
      if (stop) return;
      engine.burst(grid.parameters(), 1, kBalanced);
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
      f[k] = engine.f(k);
      g[k] = engine.g(k);
    }
    if (round > options.warmup_rounds) handler({round - options.warmup_rounds, grid, engine});
    if (options.swaps) grid.swap_round(round, f, g);
  }
}

}  // namespace chainmail
