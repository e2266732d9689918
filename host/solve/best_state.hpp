// Keeps the best state of one trial: the lowest f among feasible states or, while there is none,
// the state that violates least. What is kept is judged from the state (solve/judge.hpp), never by
// a device's own f and g.
#pragma once

#include <limits>
#include <optional>
#include <set>

#include "device/device.hpp"
#include "solve/judge.hpp"
#include "squares/slack.hpp"

namespace chainmail {

class BestState {
 public:
  // `keep`: distinct feasible states.
  BestState(Judge judge, const Embedding& embedding, std::size_t keep = 1)
      : judge_(std::move(judge)), embedding_(&embedding), slack_(embedding), keep_(keep) {}

  // Checks the results of a burst; reads spins only if they may improve on the best.
  void offer(const BurstResult& burst, Device& device, std::size_t grid, std::uint64_t sweep);

  // A state found on the side, e.g. by descent, with the f the device would give it.
  void offer_state(std::span<const Spin> physical, double device_f, std::uint64_t sweep);

  // One that was judged already.
  void offer_judged(const TrialResult& state);

  // From now on what looks better is only noted, and judged when that costs less than the search
  // since, when it may reach the target, or by settle().
  void judge_later(std::optional<double> target) {
    later_ = true;
    target_ = target;
  }
  void settle();

  // Whether the user's variables violate nothing, whatever their slack.
  bool is_feasible(const BurstResult& burst, Device& device, std::size_t grid,
                   std::size_t replica) const;

  std::optional<double> feasible_energy() const;
  const TrialResult& result() const { return best_; }

  // Noted, not yet judged.
  struct Note {
    std::vector<Spin> physical;
    double device_f = 0.0;
    std::uint64_t sweep = 0;
  };

  // For checkpoints.
  struct State {
    TrialResult best;
    std::set<double> seen;
    double rounding = 0.0;
    std::vector<TrialResult> pool = {};
    std::optional<Note> note = {};
    std::uint64_t judged_at = 0;
  };
  State state() const { return {best_, seen_, rounding_, pool_, note_, judged_at_}; }
  void restore(const State& state) {
    best_ = state.best;
    seen_ = state.seen;
    rounding_ = state.rounding;
    pool_ = state.pool;
    note_ = state.note;
    judged_at_ = state.judged_at;
  }

 private:
  void offer_with_slack_set(const BurstResult& burst, Device& device, std::size_t grid,
                            std::uint64_t sweep);
  void offer_lowest(const BurstResult& burst, Device& device, std::size_t grid,
                    std::uint64_t sweep);
  bool promising(double f) const;  // and not judged before
  void add_to_pool(TrialResult state);
  bool pool_wants(double f) const;
  // Whether the state is feasible.
  bool judge(std::span<const Spin> physical, double device_f, std::uint64_t sweep);
  void note_lowest(const BurstResult& burst, Device& device, std::size_t grid, std::uint64_t sweep);
  void judge_or_note(std::span<const Spin> physical, double device_f, std::uint64_t sweep);
  bool worth_judging(const Note& note, std::uint64_t sweep) const;

  Judge judge_;
  const Embedding* embedding_;
  SlackSetter slack_;
  std::size_t keep_;
  TrialResult best_{{},
                    std::numeric_limits<double>::infinity(),
                    std::numeric_limits<double>::infinity(),
                    false,
                    0};
  std::set<double> seen_;          // device f of feasible states already judged
  std::vector<TrialResult> pool_;  // distinct feasible states, ascending in f, at most keep_
  double rounding_ = 0.0;          // largest |device f - f| met so far

  bool later_ = false;
  std::optional<double> target_;
  std::optional<Note> note_;
  std::uint64_t judged_at_ = 0;  // sweep
};

}  // namespace chainmail
