#include "reproduce/methods.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chainmail::reproduce {

namespace {

// Plain PT without copies: as many columns as make about as many replicas as the grids with
// copies have.
constexpr std::size_t kDenseReplicas = 200;
constexpr std::uint64_t kSoon = 12'800;  // sweeps, for methods that solve at once

// One thread: experiments run as many tasks side by side as there are cores.
PlanOptions run_with(LadderKind ladder, Method method, const Cadence& cadence) {
  PlanOptions options;
  options.device.threads = 1;
  options.device.precision = "lanes";
  options.copies = 3;
  options.ladder = ladder;
  options.method = method;
  options.sweeps_per_swap = cadence.sweeps_per_swap;
  options.swap_sets = cadence.sets;
  options.hold_feasible = false;
  options.stop_at_optimum = false;  // what a run does after the optimum counts too
  return options;
}

std::vector<Recipe> make_recipes() {
  Recipe literal{"literal", "2D-PT, literal",
                 "2D-PT as in the paper: Algorithms 1 and 2, one of four swap sets every 50 sweeps",
                 run_with(LadderKind::paper, Method::two_dimensional, kPaper)};

  Recipe mean{"jcolumn_mean", "J-column, P = mean",
              "J-column as in the paper: the literal ladder's rows and cadence, P = mean(P_j)",
              run_with(LadderKind::paper, Method::jcolumn, kPaper), ColumnPenalty::mean};

  Recipe standard{
      "standard", "2D-PT, default",
      "2D-PT with our defaults: a window of penalties from a short pilot, swaps along beta "
      "every 5 sweeps and along P every 20, single-spin moves",
      run_with(LadderKind::window, Method::two_dimensional, kOften)};
  standard.options.hold_feasible = true;

  Recipe scanned{"jcolumn_scanned", "J-column, best P",
                 "J-column with the rows, columns and cadence of our default, at the best P of a "
                 "scan",
                 run_with(LadderKind::window, Method::jcolumn, kOften), ColumnPenalty::scanned};

  Recipe chain{"chain", "2D-PT, chain moves",
               "the copies of a spin resampled together, chains rigid, rows as without copies",
               run_with(LadderKind::rigid, Method::two_dimensional, kOften)};
  chain.options.device.moves = "chain";
  chain.options.hold_feasible = true;
  chain.options.swap_sets = SwapSets::all;
  chain.at_most = kSoon;

  Recipe dense{
      "dense", "PT, no copies",
      fmt::format("parallel tempering without copies, independent columns of {} replicas in all",
                  kDenseReplicas),
      run_with(LadderKind::window, Method::jcolumn, kOften)};
  dense.options.copies = 1;
  dense.at_most = kSoon;
  return {literal, mean, standard, scanned, chain, dense};
}

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = make_recipes();
  return all;
}

const Recipe& recipe(std::string_view name) {
  for (const Recipe& candidate : recipes()) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("no recipe " + std::string(name));
}

std::string ladder_name(const Recipe& recipe) {
  if (recipe.options.copies == 1) return "dense";
  switch (*recipe.options.ladder) {
    case LadderKind::paper:
      return "paper";
    case LadderKind::window:
      return "window";
    case LadderKind::rigid:
      return "rigid";
    case LadderKind::geometric:
      return "geometric";
    case LadderKind::constrained:
      return "constrained";
    case LadderKind::annealed:
      return "annealed";
  }
  return {};
}

Ladder ladder_for(const Problem& problem, const Recipe& recipe, std::uint64_t seed,
                  const std::atomic<bool>& stop) {
  PlanOptions options = recipe.options;
  options.method = Method::two_dimensional;
  options.seed = seed;
  const Source source = source_of(problem);
  return plan(source, options, *open_device(source, options), stop).ladder;
}

PlanOptions on_ladder(const Recipe& recipe, const Ladder& ladder) {
  PlanOptions options = recipe.options;
  options.given_ladder = ladder;
  if (options.copies == 1) {
    const std::size_t columns = std::max<std::size_t>(1, kDenseReplicas / ladder.rows());
    options.given_ladder = ladder.with_columns(std::vector<double>(columns, 0.0));
  }
  return options;
}

}  // namespace chainmail::reproduce
