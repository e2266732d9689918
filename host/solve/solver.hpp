// The run itself: bursts on the device, swaps between them, the best feasible state of all replicas
// kept at every burst end. Stops at the last sweep, the target, the time limit or on request; a
// checkpoint resumes to the same result as an uninterrupted run.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "embedding/embedding.hpp"
#include "grid/replica_grid.hpp"
#include "jump/beside.hpp"
#include "solve/best_state.hpp"
#include "solve/result.hpp"

namespace chainmail {

enum class Method { two_dimensional, jcolumn, pt };
Method method_from_name(const std::string& name);
std::string name_of(Method method);

// How often replicas swap. The paper's: one of the four sets of pairs after every 50 sweeps. Ours:
// after every 5, along P after every 20, which is worth about ten times as many sweeps on chains of
// copies.
struct Cadence {
  std::uint64_t sweeps_per_swap;
  SwapSets sets;
};
inline constexpr Cadence kPaper{50, SwapSets::toggle}, kOften{5, SwapSets::columns};

// What a run does between its bursts besides swapping. All off: the paper's method.
struct SearchOptions {
  std::uint64_t quench_every = 0;  // sweeps between descents from copies of the coldest rows
  std::size_t quench_rows = 0;
  bool find_cold_end = false;        // spread the rows further while descents lose too much
  std::uint64_t exchange_every = 0;  // sweeps between exchanges of components
  double exchange_from = 0.0;        // only between rows at least this cold
  std::uint64_t anneal_sweeps = 0;   // at the start: every row comes down from the hottest
  // Above 0 anneals begin at this beta and go on, each twice as long; no ladder follows.
  double anneal_from = 0.0;
  // Above 0 each of these is followed by anneals of so many sweeps from less hot, of which only the
  // components that are better stay; for lattices. A ladder mends so in turns with its sweeps; for
  // graphs with hubs. Has no checkpoint.
  std::uint64_t mend_sweeps = 0;
  bool hold_penalty = false;  // models with forms (solve/penalty_hold.hpp)
  bool grow_weights = false;  // the same without objective (solve/weight_growth.hpp)
  double skip_below = 0.0;    // beta of rows that run fewer sweeps (LoadOptions)
  bool operator==(const SearchOptions&) const = default;
};

// A trial whose length was chosen may end before it, when it has long found nothing better: after
// `least` sweeps and `factor` times as many as its best state took, those `before` it included. Not
// while its best f is below `never_below`: little is left to gain there, and it may be within
// reach.
struct Patience {
  std::uint64_t least = 0, before = 0;
  double factor = 10.0;
  double never_below = -std::numeric_limits<double>::infinity();
};

struct SolveOptions {
  Method method = Method::two_dimensional;
  std::uint64_t sweeps = 100000;
  std::uint64_t sweeps_per_swap = kOften.sweeps_per_swap;
  SwapSets swap_sets = kOften.sets;
  // Raises the answer column's penalty while the answer replica is too often infeasible
  // (solve/feasibility_watch.hpp). For ladders found by a pilot.
  bool hold_feasible = false;
  SearchOptions search = {};
  std::size_t trials = 1;
  std::size_t in_flight = 4;    // of them on the device at a time; results do not depend on it
  std::size_t first_trial = 0;  // of those that share a seed; each has its own noise
  std::size_t keep = 1;         // distinct feasible states to keep, the best of them the answer
  std::uint64_t seed = 1;
  double time_limit = 0.0;       // seconds of this session; 0: none
  std::optional<double> target;  // stop at a feasible f this low
  std::optional<double> goal;    // nothing better exists: a trial that reaches this is done
  std::optional<Patience> patience;
  bool impossible = false;  // there is no feasible state: only search for the nearest
  FormMoves moves = {};     // of a model with forms
  // The best state of the anneals that found the ladder, from whose ends (Ladder::starts) trial 0
  // starts.
  std::optional<TrialResult> known;
  // Of a model with forms: a search that takes turns with the first trial's grid.
  std::shared_ptr<const Beside> beside;
  bool end_at_optimum = true;  // where that search shows that there is nothing better
  Accepts accepts = {};        // has the last word on what is feasible; none: g alone
  std::vector<Spin> initial;   // logical; empty: random
  std::string checkpoint;      // file; empty: none
  double checkpoint_seconds = 10.0;
};

// Turns a state into the answer.
void set_best(Result& result, const Problem& problem, TrialResult best);

// Whether a feasible f is as low as the target (a threshold of problem/precision.hpp).
bool reached(std::optional<double> best, std::optional<double> target);

struct SolveStatus {
  double fraction = 0.0;
  std::uint64_t sweeps_done = 0;
  std::optional<double> best;  // feasible f
  std::uint64_t updates = 0;
  double seconds = 0.0;
  std::function<double()> rejections = {};  // Λ so far, worked out when asked for
};
using SolveObserver = std::function<void(const SolveStatus&)>;

// The columns a method runs: 2D-PT the ladder's own, J-column one penalty in every column, PT one
// column, or all where they have one penalty. `penalty` chooses that one; without it, the mean over
// the ladder's columns (the paper).
Ladder columns_for(Method method, const Ladder& ladder, std::optional<double> penalty);

// `stop` may be set from a signal handler. Where the embedding's model has forms, the problem has
// the user's words (names, the objective's name and scale) and no numbers.
Result solve(const Problem& problem, const Embedding& embedding, const Ladder& ladder,
             Device& device, const SolveOptions& options, const std::atomic<bool>& stop,
             const SolveObserver& observer = {});

// The best state at several times of one trial, ascending multiples of sweeps_per_swap: what runs
// of each of these lengths would have found, at the cost of the longest. Takes no target, time
// limit or checkpoint.
std::vector<TrialResult> best_at(const std::vector<std::uint64_t>& times, const Problem& problem,
                                 const Embedding& embedding, const Ladder& ladder, Device& device,
                                 SolveOptions options);

}  // namespace chainmail
