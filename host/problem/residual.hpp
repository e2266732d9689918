// A linear function of the spins that is zero on every feasible state, such as the two sides of an
// equation subtracted. Any multiple of it may be added to f without changing what is optimal.
#pragma once

#include <span>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

struct Residual {
  std::vector<Neighbour> terms;  // spin, value
  double offset = 0.0;
  double weight = 1.0;    // its square is in g with this factor
  std::size_t slack = 0;  // this many terms at the end are slack bits, worth 0 or twice their value

  double operator()(std::span<const Spin> spins) const {
    double sum = offset;
    for (const Neighbour& term : terms) sum += term.value * spins[term.spin];
    return sum;
  }
};

}  // namespace chainmail
