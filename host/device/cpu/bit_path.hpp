// Bit-sliced sampling of ±J models: one bit of a vector is one replica.
#pragma once

#include <memory>

#include "device/cpu/path.hpp"

namespace chainmail {

// Null unless all couplings have one strength, no p-bit has more than seven, and there are neither
// fields nor a constraint.
std::unique_ptr<Path> make_bit_path(const PhysicalModel& model);

}  // namespace chainmail
