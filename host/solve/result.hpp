// What a run leaves behind: everything the summary, the JSON, the trace and the HTML report show.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/proof.hpp"
#include "device/device.hpp"
#include "grid/ladder.hpp"
#include "model/answer.hpp"
#include "problem/quadratic.hpp"

namespace chainmail {

// One line of the trace, taken at swap rounds (thinned on a logarithmic clock in long runs).
struct TracePoint {
  std::uint64_t sweep = 0;
  double energy = 0.0;         // f of the answer replica (coldest row, last column)
  double g = 0.0;              // its constraint violation
  std::optional<double> best;  // best feasible f of all replicas so far
};

// The best state of one trial, in logical spins.
struct TrialResult {
  std::vector<Spin> solution;
  double energy = 0.0;    // f, in double, from the spins
  double g = 0.0;         // user's g plus broken links, before any repair
  bool feasible = false;  // g = 0 unrepaired
  std::uint64_t found_at_sweep = 0;
};
// The better of two answers: feasible before not, then f, or g where neither is feasible.
bool better(const TrialResult& a, const TrialResult& b);

struct Result {
  // problem
  std::string problem;
  std::size_t spins = 0;
  std::vector<std::string> names;  // empty, or one per spin
  std::optional<double> known_optimum;
  double gap_tolerance = 0.0;  // f this near the optimum counts as it; 0: compared exactly
  double rounding = 0.0;       // of f where it is compared exactly: far below its least step
  std::string objective_name = "energy";
  double scale = 1.0, shift = 0.0;  // objective = scale * f + shift, in the user's terms
  bool constrained = false;         // by the user; chains of copies do not count
  bool no_objective = false;        // a model without objective: every solution is as good
  bool bits = false;                // the user's variables are 0 and 1, not -1 and 1

  // how it was run
  std::string method;  // 2dpt, jcolumn, pt
  std::string device;  // Device::describe()
  std::size_t copies = 1, pbits = 0, colours = 0;
  std::string placement;
  std::string moves = "single", swap_sets;
  std::uint64_t seed = 0, sweeps = 0, sweeps_per_swap = 0;  // sweeps: the longest trial's
  std::uint64_t pilot_sweeps = 0;  // what finding the ladder cost, in sweeps of the whole grid
  std::size_t trials = 1;
  std::size_t first_trial = 0;  // its number among those that share the seed
  Ladder ladder;
  // proof, sweeps, target, known optimum, first feasible state, bound, time limit, interrupt, fault
  std::string stopped_by;
  std::string device_fault;      // what the device said when it failed; the rest is what was saved
  std::string checkpoint_fault;  // why the last checkpoint could not be written

  // the answer: best over trials
  TrialResult best;
  std::optional<double> bound;              // no feasible f is lower
  std::string bound_by;                     // where it comes from, e.g. enumeration
  bool proved = false;                      // the answer is that low, exactly
  std::optional<double> residual_per_spin;  // (energy - known optimum) / spins
  double objective = 0.0;                   // in the user's terms
  std::vector<TrialResult> per_trial;
  std::vector<TrialResult> pool;     // further feasible states, distinct, best first, on request
  std::vector<NamedAnswer> answers;  // of a constrained model, the best first; else empty
  // Multipliers of a model's forms; an enumeration of what they leave open found nothing better.
  std::vector<double> closed_by;
  std::string infeasible;                       // why no solution exists, if that was proved
  std::shared_ptr<const checker::Proof> proof;  // of `infeasible`, or that the best is optimal
  std::vector<std::string> model_notes;  // what was rounded or found infeasible in compiling it

  // statistics over the run
  std::uint64_t updates = 0;
  double seconds = 0.0, tune_seconds = 0.0, updates_per_ns = 0.0;
  double answer_feasible_rate = 0.0;  // share of rounds in which the answer replica was so
  double mean_answer_energy = 0.0;    // f of the answer replica at the end, mean over trials
  std::vector<std::vector<double>> acceptance_beta;     // [row][column] between row and row + 1
  std::vector<std::vector<double>> acceptance_penalty;  // [row][column] between column and + 1
  std::uint64_t round_trips = 0;  // replicas that went hot -> cold -> hot (corner to corner)
  // Sum over neighbouring rows of the share of rejected swaps, mean over columns: the length of the
  // ladder as a replica feels it (the Λ of Syed et al. 2022).
  double rejections = 0.0;
  std::uint64_t quenches = 0;   // descents from copies of cold replicas
  std::uint64_t exchanges = 0;  // pairs of replicas that exchanged components
  std::uint64_t peak_memory_kib = 0;
  std::vector<MemberUse> members;  // of a device made of devices
  std::vector<TracePoint> trace;   // of trial 0
  // Best feasible f of all trials wherever it improved, and when: seconds from tuning on.
  std::vector<std::pair<double, double>> course;
  // The cell (row * columns + column) of replicas 0..k of trial 0 at each trace point; for the
  // plot.
  std::vector<std::vector<std::uint32_t>> walks;
};

}  // namespace chainmail
