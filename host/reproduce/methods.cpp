#include "reproduce/methods.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chainmail::reproduce {

namespace {

// Plain PT without copies: as many columns as make about as many replicas as the grids with
// copies have.
constexpr std::size_t kDenseReplicas = 200;
constexpr std::uint64_t kSoon = 12'800;  // sweeps, for methods that solve at once

SolveOptions run_with(Method method, const Cadence& cadence) {
  SolveOptions options;
  options.method = method;
  options.sweeps_per_swap = cadence.sweeps_per_swap;
  options.swap_sets = cadence.sets;
  return options;
}

std::vector<Recipe> make_recipes() {
  Recipe literal{
      "literal", "2D-PT, literal",
      "2D-PT as in the paper: Algorithms 1 and 2, one of four swap sets every 50 sweeps"};
  literal.ladder = LadderKind::paper;
  literal.options = run_with(Method::two_dimensional, kPaper);

  Recipe mean{"jcolumn_mean", "J-column, P = mean",
              "J-column as in the paper: the literal ladder's rows and cadence, P = mean(P_j)"};
  mean.ladder = LadderKind::paper;
  mean.penalty = ColumnPenalty::mean;
  mean.options = run_with(Method::jcolumn, kPaper);

  Recipe standard{
      "standard", "2D-PT, default",
      "2D-PT with our defaults: a window of penalties from a short pilot, swaps along beta "
      "every 5 sweeps and along P every 20, single-spin moves"};
  standard.options = run_with(Method::two_dimensional, kOften);
  standard.options.hold_feasible = true;

  Recipe scanned{"jcolumn_scanned", "J-column, best P",
                 "J-column with the rows, columns and cadence of our default, at the best P of a "
                 "scan"};
  scanned.penalty = ColumnPenalty::scanned;
  scanned.options = run_with(Method::jcolumn, kOften);

  Recipe chain{"chain", "2D-PT, chain moves",
               "the copies of a spin resampled together, chains rigid, rows as without copies"};
  chain.moves = "chain";
  chain.ladder = LadderKind::rigid;
  chain.options = standard.options;
  chain.options.swap_sets = SwapSets::all;
  chain.at_most = kSoon;

  Recipe dense{
      "dense", "PT, no copies",
      fmt::format("parallel tempering without copies, independent columns of {} replicas in all",
                  kDenseReplicas)};
  dense.copies = 1;
  dense.options = run_with(Method::jcolumn, kOften);
  dense.at_most = kSoon;
  return {literal, mean, standard, scanned, chain, dense};
}

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = make_recipes();
  return all;
}

const Recipe& recipe(const std::string& name) {
  for (const Recipe& candidate : recipes()) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("no recipe " + name);
}

Embedding embedding_for(const Problem& problem, const Recipe& recipe) {
  return embed(problem, recipe.copies, Placement::packed);
}

std::unique_ptr<Device> device_for(const Recipe& recipe) {
  DeviceOptions options;
  options.threads = 1;
  options.precision = "lanes";
  options.moves = recipe.moves;
  return make_device(options);
}

std::string ladder_name(const Recipe& recipe) {
  if (recipe.copies == 1) return "dense";
  switch (recipe.ladder) {
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
  }
  return {};
}

Ladder ladder_for(const Embedding& embedding, const Recipe& recipe, std::uint64_t seed,
                  const std::atomic<bool>& stop) {
  LadderOptions options;
  options.kind = recipe.ladder;
  options.pilot.seed = options.rehearsal.seed = options.window.seed = seed;
  return choose_ladder(embedding, *device_for(recipe), options, stop);
}

Ladder columns_of(const Recipe& recipe, const Ladder& ladder, std::optional<double> scanned) {
  if (recipe.copies > 1) return columns_for(recipe.options.method, ladder, scanned);
  Ladder side_by_side = ladder;
  side_by_side.penalty.assign(std::max<std::size_t>(1, kDenseReplicas / ladder.rows()), 0.0);
  return side_by_side;
}

}  // namespace chainmail::reproduce
