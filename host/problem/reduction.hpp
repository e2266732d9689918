// Takes spins out of a problem, exactly: what the best choice of a spin adds to f is again
// quadratic in its neighbours where those are up to two, or three and it has no field, or where one
// coupling or the field outweighs all the rest. Trees vanish whole, and a random graph with two
// neighbours a spin keeps a seventh of its spins.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "problem/problem.hpp"

namespace chainmail {

class Reduction {
 public:
  // Nothing where no spin can be taken out, or where there is a constraint.
  static std::optional<Reduction> of(const Problem& problem);

  // Takes nothing out yet.
  static Reduction none(const Problem& problem);

  // Takes out spins of problem() that are known: 1 or -1, 0 for those that stay, at least one.
  void settle(std::span<const Spin> values);

  // Over the spins that stay, at least one, in their old order. Its minimum is the old one, and
  // known where one spin is left; names and known solutions are left out.
  const Problem& problem() const { return problem_; }
  // The full state: the spins taken out are set as is best for those that stay.
  std::vector<Spin> lift(std::span<const Spin> kept) const;
  std::vector<Spin> restrict(std::span<const Spin> full) const;

 private:
  friend class Eliminator;
  struct Step {
    std::uint32_t spin;
    double field;
    std::vector<Neighbour> terms;
  };
  std::vector<Step> steps_;          // in the order they were taken
  std::vector<std::uint32_t> kept_;  // old numbers
  std::size_t spins_ = 0;            // of the full problem
  Problem problem_;
};

}  // namespace chainmail
