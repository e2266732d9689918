// Exchange of connected components between two replicas: where spins differ, the differing spins
// fall apart into components of the graph of couplings; a component swapped whole changes the two
// energies by opposite amounts and no others, so each may be exchanged by a heat bath of its own
// (a Houdayer move between two temperatures). On lattices of two dimensions components stay small
// and carry a cold replica over barriers; elsewhere one component soon holds nearly all.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/coupling_rows.hpp"

namespace chainmail {

// The power with which the number of spins within a distance grows; 0 if the graph is not a lattice
// but like a random one: many neighbours, or spins as near as in a random graph of that degree.
double lattice_dimension(const Quadratic& f);

// Whether few spins have many more neighbours than most, on sparse graphs: the mean square of
// degrees is well above their mean's. Cold, hubs hardly turn, and between them what differs falls
// apart.
bool has_hubs(const Quadratic& f);

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
  // Spins of the largest component that the last pair had.
  std::size_t largest() const { return largest_; }

 private:
  const Quadratic* f_;
  CouplingRows rows_;
  bool fields_ = false;  // some spin has one: a state and its mirror image differ
  std::vector<std::uint8_t> seen_;
  std::vector<std::uint32_t> component_;
  std::size_t largest_ = 0;
};

}  // namespace chainmail
