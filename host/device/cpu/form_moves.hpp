// How often each kind of move is tried on a form model.
#pragma once

namespace chainmail {

// How many moves of a kind a sweep tries, as a share of the free bits (exchanges) or groups
// (swaps). Chains break detailed balance: they are for searching, never for sampling.
struct FormMoves {
  double exchanges = 0.5;
  double swaps = 1.0;
  double chains = 0.0;
  // Free bits are drawn from their exact distribution instead of by Metropolis, which moves more
  // but at beta = 0 turns every bit in every sweep, so that states come around. For sampling.
  bool heat_bath = false;
};

}  // namespace chainmail
