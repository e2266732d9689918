// One-hots that were written as penalties are searched as one-hots first: their moves never break
// them, while spins would have to climb over the penalty each time. The run in spins starts from
// what that finds, and may still find a lower state that breaks one.
#include <algorithm>

#include "ladder/annealed.hpp"
#include "problem/one_hot_penalties.hpp"
#include "run/as_written.hpp"
#include "run/plan_parts.hpp"

namespace chainmail {

namespace {

// Bit updates in the grid, and the share of a time limit it may take.
constexpr double kUpdates = 2e7;
constexpr double kTimeShare = 0.7;

SolveOptions grid_options(const FormModel& model, const Ladder& ladder, const PlanOptions& options,
                          const std::vector<double>& enough) {
  SolveOptions solve;
  const auto turns = static_cast<double>(model.bits * ladder.rows() * ladder.columns());
  solve.sweeps_per_swap = 2;
  solve.sweeps = std::max<std::uint64_t>(2, static_cast<std::uint64_t>(kUpdates / turns));
  solve.swap_sets = SwapSets::all;
  solve.in_flight = 1;
  solve.seed = options.seed;
  solve.moves = moves_for(model);
  solve.search.hold_penalty = true;
  if (!enough.empty()) solve.target = *std::max_element(enough.begin(), enough.end());
  if (options.time_limit > 0.0) {
    const double left = options.time_limit - seconds_since(options.start);
    solve.time_limit = std::max(1e-6, kTimeShare * left);
  }
  return solve;
}

}  // namespace

std::shared_ptr<const FormModel> recovered_for(const Source& source, const PlanOptions& options,
                                               const Device& device, const Plan& plan) {
  const bool by_rule = may_reduce(source, options, device) && !options.sweeps && !options.method &&
                       options.rows == 0 && options.columns == 0 && options.initial.empty();
  if (!by_rule || plan.as_written() || resumes(options)) return nullptr;
  std::optional<FormModel> model = recover_one_hots(plan.problem().objective);
  return model ? std::make_shared<const FormModel>(*std::move(model)) : nullptr;
}

void search_recovered(const std::shared_ptr<const FormModel>& model, const PlanOptions& options,
                      const std::vector<double>& enough, const TuningWatch& watch,
                      const std::atomic<bool>& stop, const PilotObserver& observer,
                      const Judge& judge, BestState& seen) {
  const auto cpu = make_device({"cpu", options.device.threads});
  Embedding embedding;
  embedding.model.forms = model;
  embedding.logical = model->bits;
  AnnealedOptions annealed;
  annealed.seed = options.seed;
  annealed.moves = moves_for(*model);
  annealed.watch = watch;
  try {
    watch.after_burst();
    const Ladder ladder = annealed_ladder(embedding.model, *cpu, annealed, observer);
    const Problem words;
    const Result found =
        solve(words, embedding, ladder, *cpu, grid_options(*model, ladder, options, enough), stop);
    if (!found.best.solution.empty()) seen.offer_judged(judge(found.best.solution, 0));
  } catch (const TuningStopped&) {
    return;  // the caller sees the stop, too
  }
}

}  // namespace chainmail
