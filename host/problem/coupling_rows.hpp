// The couplings of a quadratic function by spin, contiguous in memory: for loops that walk rows
// often.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

struct CouplingRows {
  std::vector<std::uint32_t> start;  // of a spin; one more than spins
  std::vector<std::uint32_t> spin;
  std::vector<double> value;
};
CouplingRows coupling_rows(const Quadratic& q);
CouplingRows neighbour_rows(const Quadratic& q);  // without values

}  // namespace chainmail
