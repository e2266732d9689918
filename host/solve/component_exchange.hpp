// Exchange of connected components between two replicas: where spins differ, the differing spins
// fall apart into components of the graph of couplings; a component swapped whole changes the two
// energies by opposite amounts and no others, so each may be exchanged by a heat bath of its own
// (a Houdayer move between two temperatures). On lattices components stay small and carry a cold
// replica over barriers; on random graphs one component holds nearly all.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/rows.hpp"

namespace chainmail {

// A lattice rather than a random graph: few neighbours, and spins further apart than in a random
// graph of that degree.
bool is_lattice(const Quadratic& f);

class ComponentExchange {
 public:
  explicit ComponentExchange(const Quadratic& f);

  struct Pair {
    std::vector<Spin> a, b;
    double beta_a, beta_b;
    double f_a, f_b;  // changed by what was exchanged
  };
  // Whether anything was exchanged. `seed` decides, component by component.
  bool operator()(Pair& pair, std::uint64_t seed);

 private:
  const Quadratic* f_;
  CouplingRows rows_;
  bool fields_ = false;  // some spin has one: a state and its mirror image differ
  std::vector<std::uint8_t> seen_;
  std::vector<std::uint32_t> component_;
};

}  // namespace chainmail
