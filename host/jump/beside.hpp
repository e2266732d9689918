// A jump search that takes turns with a grid of replicas: it runs first, then gets half as much
// work as the grid, more or less depending on which of the two finds better states. Each continues
// from what the other found.
#pragma once

#include "jump/jump_search.hpp"

namespace chainmail {

class Beside {
 public:
  // `chains`: of the grid's repair chains, by bit and sweep. The model must outlive it.
  Beside(const FormModel& model, const JumpOptions& options, double chains);

  // Before the grid begins.
  const JumpPoint& first(const JumpGoing& going);

  // The grid has done this many bit updates since the last call, and its best state is this one
  // (`f` infinite: none is feasible). True if best() is better.
  bool after(std::uint64_t updates, double f, const std::function<std::vector<Bit>()>& state,
             const JumpGoing& going);

  const JumpPoint& best() const { return jumps_.found().best; }
  const std::vector<double>& multipliers() const { return jumps_.multipliers(); }
  // best() is the optimum.
  bool closed() const { return jumps_.closed(); }

 private:
  JumpSearch jumps_;
  double per_update_;  // terms that the grid visits per update, approximately
  double share_ = 0.5, owed_ = 0.0;
};

}  // namespace chainmail
