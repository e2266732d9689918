// What a device runs: f and g on p-bits. Devices know nothing about the original problem;
// embeddings make this.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "problem/bits.hpp"
#include "problem/problem.hpp"

namespace chainmail {

// g has no couplings where there is no constraint.
struct PhysicalModel {
  Quadratic f;
  Quadratic g;
  std::vector<std::uint32_t> colour;  // p-bits of one colour share no coupling, in f or in g
  // The copies of each logical spin in the order of their links; empty: no spin has copies.
  std::vector<std::vector<std::uint32_t>> chains = {};
  // f and constraints as written, in place of f and g, for devices that support them: CPUs and row
  // kernels (docs/rows.md). P-bits are then the form model's bits.
  std::shared_ptr<const FormModel> forms = {};

  std::size_t pbits() const { return forms ? forms->bits : f.size(); }
  // Of a state, in double.
  double f_at(std::span<const Spin> spins) const {
    return forms ? forms->f(bits_of(spins)) : f(spins);
  }
  double g_at(std::span<const Spin> spins) const {
    return forms ? forms->g(bits_of(spins)) : g(spins);
  }
  double feasible = kFeasible;  // g counts as zero up to this (problem/precision.hpp)
};

}  // namespace chainmail
