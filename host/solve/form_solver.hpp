// The run on a form model: trials one after another, each an annealed start and a grid with swaps,
// until the last sweep, the target, a bound that nothing can pass, the time limit or a signal.
#pragma once

#include "solve/form_search.hpp"

namespace chainmail {

struct FormSolveOptions {
  FormSearchOptions search = {};
  std::optional<std::uint64_t> sweeps;  // of the grid; without: so many that kFormUpdates come out
  std::size_t trials = 1;
  std::size_t first_trial = 0;   // of those that share a seed; each has noise of its own
  double time_limit = 0.0;       // seconds; 0: none
  std::optional<double> target;  // stop at a feasible f this low
  std::optional<double> bound;   // no feasible f is lower
  bool impossible = false;       // there is no feasible state: only the nearest is looked for
  std::string checkpoint = {};
  double checkpoint_seconds = 10.0;
  unsigned threads = 0;                               // 0: one per core
  std::vector<std::shared_ptr<Channel>> others = {};  // processes that run replicas too
  double timeout = 10.0;                              // seconds they may take to answer
};
inline FormMembers members_of(const FormSolveOptions& options) {
  return FormMembers(options.threads, options.others, options.timeout);
}

// Turns of bits in the grid of a run of default length: about a minute on one core where moves are
// dear, as on knapsacks. It may end after an eighth of that, when it has long found nothing better.
inline constexpr double kFormUpdates = 8e8;

// Solutions in the result are the bits of the form model as spins.
Result solve_forms(const FormModel& model, const FormSolveOptions& options,
                   const std::atomic<bool>& stop, const SolveObserver& observer = {});

}  // namespace chainmail
