// States of few spins as numbers, to count through them all: bit i is spin i, a one is up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail::test {

inline std::vector<Spin> state_of(std::uint64_t number, std::size_t spins) {
  std::vector<Spin> state(spins);
  for (std::size_t i = 0; i < spins; ++i) state[i] = (number >> i & 1U) != 0 ? Spin{1} : Spin{-1};
  return state;
}

inline std::uint64_t number_of(std::span<const Spin> state) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < state.size(); ++i) number |= std::uint64_t{state[i] > 0} << i;
  return number;
}

}  // namespace chainmail::test
