// States as bits and as spins: a one is a spin up.
#pragma once

#include <span>
#include <vector>

#include "problem/form_model.hpp"

namespace chainmail {

inline std::vector<Bit> bits_of(std::span<const Spin> spins) {
  std::vector<Bit> bits;
  for (Spin spin : spins) bits.push_back(spin > 0 ? 1 : 0);
  return bits;
}

inline std::vector<Spin> spins_of(std::span<const Bit> bits) {
  std::vector<Spin> spins;
  for (Bit bit : bits) spins.push_back(bit != 0 ? 1 : -1);
  return spins;
}

}  // namespace chainmail
