// A QUBO's matrix in spins: with x = (1 + S) / 2 every term becomes couplings, fields and an
// offset, so that f is the QUBO's own value. The divisions by 2 and 4 are exact in binary.
#pragma once

#include <cstdint>
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

// The other way, with S = 2x - 1: -J S S' = -4J x x' + 2J x + 2J x' - J and -h S = -2h x + h. The
// terms come one by one, for the caller to add up in numbers of its own.
inline double product_in_bits(double coupling) {
  return -4.0 * coupling;
}
template <class Constant, class Linear, class Product>
void in_bits(const Quadratic& q, const Constant& constant, const Linear& linear,
             const Product& product) {
  constant(q.offset);
  for (std::uint32_t i = 0; i < q.size(); ++i) {
    constant(q.fields[i]);
    linear(i, -2.0 * q.fields[i]);
  }
  for (const Coupling& c : q.couplings) {
    constant(-c.value);
    linear(c.i, 2.0 * c.value);
    linear(c.j, 2.0 * c.value);
    product(c.i, c.j, product_in_bits(c.value));
  }
}

}  // namespace chainmail
