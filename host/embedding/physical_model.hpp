// What a device runs: f and g on p-bits. Devices know nothing of the problem behind it; embeddings
// make it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "problem/form_model.hpp"

namespace chainmail {

// g has no couplings where there is no constraint.
struct PhysicalModel {
  Quadratic f;
  Quadratic g;
  std::vector<std::uint32_t> colour;  // p-bits of one colour share no coupling, in f or in g
  // The copies of each logical spin in the order of their links; empty: no spin has copies.
  std::vector<std::vector<std::uint32_t>> chains = {};
  // Constraints as they are written, for devices that take them so (docs/rows.md); f and g are then
  // empty and p-bits are the form model's bits.
  std::shared_ptr<const FormModel> forms = {};
};

}  // namespace chainmail
