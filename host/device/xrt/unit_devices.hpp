// Several compute units as one device: each holds its share of the grids, as a block of
// consecutive numbers, so that a grid's noise is the same on however many units it runs.
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"

namespace chainmail {

// `units` must be of one topology; at least one.
std::unique_ptr<Device> combine_units(std::vector<std::unique_ptr<Device>> units);

}  // namespace chainmail
