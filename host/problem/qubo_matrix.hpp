// A QUBO's matrix in spins: with x = (1 + S) / 2 every term becomes couplings, fields and an
// offset, so that f is the QUBO's own value. The divisions by 2 and 4 are exact in binary.
#pragma once

#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

// What c x becomes.
struct SpinTerm {
  double constant, value;
};
inline SpinTerm in_spins(double c) {
  return {c / 2.0, c / 2.0};
}

// Minimise constant + sum diagonal_i x_i + sum couplers_ij x_i x_j over x in {0, 1}; i < j in
// couplers.
Quadratic qubo_in_spins(std::size_t nodes, const std::vector<Coupling>& diagonal,
                        std::vector<Coupling> couplers, long double constant = 0.0L);

}  // namespace chainmail
