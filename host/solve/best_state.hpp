// Keeps the best state of one trial: the lowest f among feasible states or, while there is none,
// the state that violates least. What is kept is judged in double from the spins, not by the
// device's rounded f.
#pragma once

#include <limits>
#include <optional>
#include <set>

#include "device/device.hpp"
#include "embedding/embedding.hpp"
#include "embedding/slack.hpp"
#include "solve/result.hpp"

namespace chainmail {

class BestState {
 public:
  BestState(const Problem& problem, const Embedding& embedding, std::size_t keep = 1)
      : problem_(&problem), embedding_(&embedding), slack_(embedding), keep_(keep) {}

  // Looks at what a burst left behind; reads spins only where they may improve on the best.
  void offer(const BurstResult& burst, Device& device, std::size_t grid, std::uint64_t sweep);

  // Whether the user's variables violate nothing, whatever their slack.
  bool is_feasible(const BurstResult& burst, Device& device, std::size_t grid,
                   std::size_t replica) const;

  std::optional<double> feasible_energy() const;
  const TrialResult& result() const { return best_; }

  // For checkpoints.
  struct State {
    TrialResult best;
    std::set<double> seen;
    double rounding = 0.0;
    std::vector<TrialResult> pool = {};
  };
  State state() const { return {best_, seen_, rounding_, pool_}; }
  void restore(const State& state) {
    best_ = state.best;
    seen_ = state.seen;
    rounding_ = state.rounding;
    pool_ = state.pool;
  }

 private:
  void offer_with_slack_set(const BurstResult& burst, Device& device, std::size_t grid,
                            std::uint64_t sweep);
  bool promising(double f);  // and not looked at before
  void add_to_pool(TrialResult state);
  bool pool_wants(double f) const;
  TrialResult judged(std::span<const Spin> physical, std::uint64_t sweep) const;
  void judge(std::span<const Spin> physical, double device_f, std::uint64_t sweep);

  const Problem* problem_;
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
};

}  // namespace chainmail
