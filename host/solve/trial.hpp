// One trial: a grid of replicas on the device with its swaps, best state and trace.
#pragma once

#include "solve/best_state.hpp"
#include "solve/cold_end.hpp"
#include "solve/component_exchange.hpp"
#include "solve/feasibility_watch.hpp"
#include "solve/penalty_hold.hpp"
#include "solve/quench.hpp"
#include "solve/solver.hpp"
#include "solve/weight_growth.hpp"

namespace chainmail {

// What a trial contributes to the result; also the part of its state that is not spins.
struct TrialRecord {
  std::uint64_t rounds = 0, sweeps = 0;
  std::uint64_t skipped = 0;          // sweeps of hot replicas (BurstResult)
  std::uint64_t answer_feasible = 0;  // rounds in which the answer replica was feasible
  double answer_energy = 0.0;         // f of the answer replica after the last round
  BestState::State best;
  ReplicaGrid::State grid;
  std::vector<TracePoint> trace;
  std::vector<std::vector<std::uint32_t>> walks;  // cells of the first few replicas, by trace point
  FeasibilityWatch::State watch = {};
  ColdEnd::State cold_end = {};
  std::uint64_t quenches = 0, exchanges = 0;
  PenaltyHold::State penalty = {};
  WeightGrowth::State weights = {};  // empty: they do not grow
};

class Trial {
 public:
  Trial(const Problem& problem, const Embedding& embedding, const Ladder& ladder,
        const SolveOptions& options, std::size_t number, std::size_t device_grid, Device& device);

  void write_initial_states();

  // Starts the next burst; finish_burst() waits for it, keeps the best state and swaps.
  void start_burst();
  void finish_burst();
  // Between bursts: the other search's turn. What it finds goes to the coldest and hardest cell.
  void look_beside(Beside& beside, const JumpGoing& going);

  std::uint64_t sweeps_done() const { return sweeps_; }
  std::uint64_t skipped() const { return skipped_; }
  std::uint64_t rounds() const { return rounds_; }
  bool done() const { return sweeps_ >= length() || at_goal(); }
  bool at_goal() const { return reached(best_.feasible_energy(), options_->goal); }
  std::optional<double> best_energy() const { return best_.feasible_energy(); }
  const SwapStatistics& swaps() const { return grid_.statistics(); }

  // Judges what was only noted so far; the best state is then final.
  void settle() { best_.settle(); }
  Ladder ladder() const;  // as it stands now

  TrialRecord record() const;
  std::vector<std::vector<Spin>> spins() const;  // by replica
  void restore(const TrialRecord& record, const std::vector<std::vector<Spin>>& spins);

 private:
  std::uint64_t next_burst_sweeps() const;
  std::uint64_t length() const;  // in sweeps, as things stand
  bool at_target() const;        // the run ends here: the trace needs this point too
  void take_notes(const BurstResult& burst, std::size_t answer);
  void note_point(const TracePoint& point);
  void set_rows();  // what the ladder's cells sample now
  bool annealing() const { return sweeps_ < anneal_sweeps_ || anneals_on() || turn_to_mend(); }
  bool anneals_on() const { return options_->search.anneal_from > 0.0 && anneal_sweeps_ > 0; }
  // The anneal of the moment, in sweeps of the run.
  struct Anneal {
    std::uint64_t from = 0, to = 0;
    bool mends = false;  // a state that is there already
  };
  Anneal anneal() const;
  std::optional<Anneal> turn_to_mend() const;  // beside a ladder
  bool ends_anneal(std::uint64_t sweeps) const {
    return (anneals_on() || turn_to_mend()) && sweeps == anneal().to;
  }
  // Whether a burst passes a multiple of this many sweeps; the last one always does.
  static bool passes(std::uint64_t every, std::uint64_t from, std::uint64_t to);
  bool due(std::uint64_t every) const { return passes(every, sweeps_ - last_burst_, sweeps_); }
  std::vector<std::size_t> coldest() const;
  std::vector<std::size_t> lowest(const BurstResult& burst) const;  // by f
  std::vector<Descent> quench(const BurstResult& burst, const std::vector<std::size_t>& replicas);
  void keep(Descent found);
  void mend(const BurstResult& burst);
  double mend_hottest() const;
  double mend_spread(std::size_t row) const;  // of its first beta, around mend_from_
  void write_kept();
  void unpark();
  bool exchange_components(const BurstResult& burst);
  void hold_penalty(const BurstResult& burst);
  void grow_weights();
  // All in the rows from this one on.
  std::vector<std::size_t> replicas_from(std::size_t row) const;

  const Embedding* embedding_;
  const Ladder* ladder_;
  const SolveOptions* options_;
  std::size_t number_, device_grid_;
  Device* device_;
  ReplicaGrid grid_;
  BestState best_;
  FeasibilityWatch watch_;
  PenaltyHold penalty_;
  std::optional<WeightGrowth> weights_;  // where the options ask for it
  ColdEnd cold_end_;
  Quench quench_;
  std::optional<ComponentExchange> exchange_;  // where the options ask for it
  std::uint64_t quenches_ = 0, exchanges_ = 0, last_burst_ = 0;
  std::vector<double> energies_;  // by replica, after exchanges
  std::uint64_t anneal_sweeps_;
  Descent kept_;                           // what anneals mend
  double mend_from_ = 0.0;                 // their first beta
  std::vector<std::vector<Spin>> parked_;  // by replica, while a ladder's replicas mend
  std::uint64_t rounds_ = 0, sweeps_ = 0, skipped_ = 0, answer_feasible_ = 0;
  double answer_energy_ = 0.0;
  std::vector<TracePoint> trace_;
  std::vector<std::vector<std::uint32_t>> walks_;
};

}  // namespace chainmail
