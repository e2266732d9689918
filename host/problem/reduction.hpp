// Removes spins from a problem, exactly: what the best choice of a spin adds to f is quadratic in
// its neighbours if there are at most two, or three and no field, or if one coupling or the field
// outweighs the rest. Trees vanish completely, and a random graph with two neighbours per spin
// keeps a seventh of its spins.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "problem/problem.hpp"

namespace chainmail {

// With some spins held at 1 or -1, over those whose value is 0, in their order.
Quadratic with_held(const Quadratic& q, std::span<const Spin> values);

class Reduction {
 public:
  // Nothing if no spin can be removed, or if there is a constraint.
  static std::optional<Reduction> of(const Problem& problem);

  // Removes nothing yet.
  static Reduction none(const Problem& problem);

  // Removes spins of problem() whose value is known: 1 or -1, 0 for those that stay, at least one.
  void settle(std::span<const Spin> values);

  // Over the spins that stay, at least one, in their old order. Its minimum is the old one, and
  // known where one spin is left; names and known solutions are left out.
  const Problem& problem() const { return problem_; }
  // The full state: removed spins are set to their best value given the rest.
  std::vector<Spin> lift(std::span<const Spin> kept) const;
  std::vector<Spin> restrict(std::span<const Spin> full) const;

 private:
  friend class Eliminator;
  struct Step {
    std::uint32_t spin;
    double field;
    std::vector<Neighbour> terms;
  };
  std::vector<Step> steps_;          // in the order they were removed
  std::vector<std::uint32_t> kept_;  // old numbers
  std::size_t spins_ = 0;            // of the full problem
  Problem problem_;
};

}  // namespace chainmail
