// Gathers p-bits into quads: the spins of a quad share a byte and index one 16-entry table, so a
// p-bit's field costs one lookup for each quad its neighbours lie in.
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.hpp"

namespace chainmail {

struct Quads {
  std::vector<std::uint32_t> place;  // of a p-bit: 4 * quad + bit
  std::size_t count = 0;
};

Quads gather_quads(const PhysicalModel& model);

}  // namespace chainmail
