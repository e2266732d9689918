// A jump search that takes turns with a grid of replicas: it goes first, then gets half as much
// work as the grid does, more or less by which of the two finds better states. Each goes on from
// what the other found.
#pragma once

#include "jump/jump_search.hpp"

namespace chainmail {

class Beside {
 public:
  // `chains`: of the grid's repair chains, by bit and sweep. The model must outlive it.
  Beside(const FormModel& model, const JumpOptions& options, double chains);

  // Before the grid begins.
  const JumpPoint& first(const JumpGoing& going);

  // The grid has done so many updates of a bit since the last call, and its best state is this one
  // (`f` infinite: none is feasible). True where best() is better.
  bool after(std::uint64_t updates, double f, const std::function<std::vector<Bit>()>& state,
             const JumpGoing& going);

  const JumpPoint& best() const { return jumps_.found().best; }

 private:
  JumpSearch jumps_;
  double per_update_;  // terms that the grid looks at in an update, about
  double share_ = 0.5, owed_ = 0.0;
};

}  // namespace chainmail
