// States in Gray-code order, so that a step flips one spin: the energy changes by 2 s F and only
// the local fields F of its neighbours change. Sums drift by rounding, so they are recomputed every
// 4096 states, and a state that looks better than the best is judged by its energy evaluated from
// scratch.
#include "problem/enumerate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "problem/precision.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

// One quadratic followed from state to state.
class Follower {
 public:
  explicit Follower(const Quadratic& q) : q_(q), rows_(adjacency(q)), local_(q.size()) {}

  void restart(const std::vector<Spin>& state) {
    value_ = q_(state);
    local_ = q_.fields;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const Neighbour& n : rows_[i]) local_[i] += n.value * state[n.spin];
    }
  }
  // `state[spin]` still has its old sign.
  void flip(const std::vector<Spin>& state, std::size_t spin) {
    const double twice = 2.0 * state[spin];
    value_ += twice * local_[spin];
    for (const Neighbour& n : rows_[spin]) local_[n.spin] -= twice * n.value;
  }
  double value() const { return value_; }

 private:
  const Quadratic& q_;
  std::vector<std::vector<Neighbour>> rows_;
  std::vector<double> local_;
  double value_ = 0.0;
};

}  // namespace

std::optional<Optimum> enumerate_optimum(const Problem& problem) {
  const std::size_t spins = problem.size();
  if (spins == 0 || spins > kMaxEnumerable) {
    throw InputError("cannot enumerate " + std::to_string(spins) + " spins, only 1 to " +
                     std::to_string(kMaxEnumerable));
  }
  constexpr std::uint64_t kRestart = 4096;
  std::vector<Spin> state(spins, Spin{-1});
  Follower f(problem.objective);
  const Quadratic free(spins);
  Follower g(problem.constraint ? *problem.constraint : free);
  const double zero = feasible_up_to(problem);
  std::optional<Optimum> best;
  const std::uint64_t states = std::uint64_t{1} << spins;
  for (std::uint64_t step = 0; step < states; ++step) {
    if (step % kRestart == 0) {
      f.restart(state);
      g.restart(state);
    }
    const double slack = best ? 1e-9 * std::max(1.0, std::abs(best->energy)) : 0.0;
    if ((!best || f.value() < best->energy + slack) && std::abs(g.value()) < 2.0 * zero) {
      const double energy = problem.objective(state);
      const bool feasible = !problem.constraint || std::abs((*problem.constraint)(state)) <= zero;
      if (feasible && (!best || energy < best->energy)) best = Optimum{energy, state};
    }
    if (step + 1 == states) break;
    const auto spin = static_cast<std::size_t>(std::countr_zero(step + 1));
    f.flip(state, spin);
    g.flip(state, spin);
    state[spin] = static_cast<Spin>(-state[spin]);
  }
  return best;
}

void store_enumerated_optimum(Problem& problem) {
  if (problem.size() > kEnumerable) return;
  if (const std::optional<Optimum> best = enumerate_optimum(problem)) {
    problem.known_optimum = best->energy;
    problem.known_solution = best->state;
  }
}

}  // namespace chainmail
