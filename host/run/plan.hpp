// The front door. plan() decides everything that is policy (how a problem is embedded, on which
// ladder, with which method, cadence and arithmetic it runs) from the few things a caller sets;
// run() does it. The command line, the library, the tests and the figures all come through here.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "embedding/embedding.hpp"
#include "ladder/choose.hpp"
#include "problem/reduction.hpp"
#include "run/bound.hpp"
#include "run/source.hpp"
#include "solve/solver.hpp"

namespace chainmail {

// Everything has a default that suits the problem; what is set here is used unchanged.
struct PlanOptions {
  DeviceOptions device = {};

  // Embedding.
  std::size_t copies = 1;
  std::optional<Placement> placement;  // packed on the CPU, else alt

  // Ladder: given, or chosen.
  std::optional<Ladder> given_ladder;
  std::optional<LadderKind> ladder;  // by the moves and the problem
  bool literal = false;              // the paper's ladder and cadence
  bool plain_penalty = false;        // models: f + P g alone, without multipliers
  std::size_t rows = 0;              // at most; 0: by the kind of ladder
  std::size_t columns = 0;           // at most; 0: by the kind of ladder
  PilotOptions pilot = {};
  std::uint64_t rehearsal_sweeps = RehearsalOptions{}.sweeps;

  // Run.
  std::optional<Method> method;   // 2dpt where there are constraints or copies, else pt
  std::optional<double> penalty;  // jcolumn, pt: the one penalty; the mean of the ladder
  std::optional<std::uint64_t> sweeps, sweeps_per_swap;
  std::optional<SwapSets> swap_sets;
  std::optional<bool> hold_feasible;  // with 2dpt on a ladder that was chosen here
  std::optional<std::size_t> trials;  // one; on a card enough to keep it busy
  std::size_t first_trial = 0;        // a part of the trials that share a seed
  std::size_t solutions = 1;          // how many distinct ones
  std::uint64_t seed = 1;
  double time_limit = 0.0;  // seconds from `start`, including tuning; 0: none
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::optional<Decimal> target;  // stop at a feasible objective this good, in the user's terms
  // Without a target: end at the known optimum, or at the first feasible state where there is
  // nothing to minimise. Several trials or solutions run to their end.
  bool stop_at_optimum = true;
  // Small problems are solved exactly, without a search; none: if no option is about the search.
  std::optional<bool> exact;
  bool reduce = true;     // remove spins with few neighbours first, where that is exact
  bool balanced = false;  // for sampling: only moves that keep the distribution
  std::vector<Spin> initial = {};
  std::vector<std::int64_t> initial_values = {};  // the same of a model's variables
  std::string checkpoint = {};
  // f of each better answer while the ladder is being found; the run has its own observer.
  std::function<void(double)> better = {};
};

struct Plan {
  const Source* source = nullptr;      // must outlive the plan
  std::optional<Result> exact;         // solved already: nothing below counts
  std::optional<Reduction> reduction;  // what is solved in place of the source's problem
  // A constrained model whose constraints run as written: the user's names, no numbers.
  std::optional<Problem> words;
  // One-hots found in penalties, which were searched as such first (run/recovered.cpp); or none.
  std::shared_ptr<const FormModel> recovered;
  Embedding embedding;  // with residuals and multipliers, or with the model's forms
  Placement placement = Placement::packed;
  std::string moves;
  Ladder ladder;
  double tune_seconds = 0.0;  // what finding the ladder took
  // Tuning was stopped: the ladder is a placeholder that only lets the run end normally.
  bool cut_short = false;
  std::optional<TrialResult> pilot_best;          // the best state that tuning came across
  std::vector<std::pair<double, double>> course;  // when tuning found better f
  std::optional<ModelBound> bound;                // no answer is below this
  SolveOptions solve;
  std::string goal = "goal";  // what Result::stopped_by calls solve.goal
  std::size_t solutions = 1;

  bool as_written() const { return words.has_value(); }
  const Problem& problem() const {
    return words ? *words : reduction ? reduction->problem() : source->problem();
  }
};

// The device the options name, with the arithmetic that suits the problem; an emulator chooses its
// topology by the problem's size.
std::unique_ptr<Device> open_device(const Source& source, const PlanOptions& options);

// How the problem is placed on the device, before any ladder.
Placement placement_on(const Device& device, const PlanOptions& options);
Embedding embed_on(const Device& device, const Source& source, const PlanOptions& options);

// The device may be used to find the ladder.
Plan plan(const Source& source, const PlanOptions& options, Device& device,
          const std::atomic<bool>& stop, const PilotObserver& observer = {});

// `stop` may be set from a signal handler.
Result run(const Plan& plan, Device& device, const std::atomic<bool>& stop,
           const SolveObserver& observer = {});

// The values of a model's variables in a state that such a run left.
std::vector<std::int64_t> model_values(const Plan& plan, std::span<const Spin> state);

// The best state at several times of one trial (solve/solver.hpp).
std::vector<TrialResult> best_at(const std::vector<std::uint64_t>& times, const Plan& plan,
                                 Device& device);

}  // namespace chainmail
