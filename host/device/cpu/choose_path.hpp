// Chooses the arithmetic for a model: by what the model needs, never by timing, so that the same
// model takes the same path everywhere.
#pragma once

#include <memory>
#include <string>

#include "device/cpu/path.hpp"
#include "device/device.hpp"

namespace chainmail {

// precision: auto, int8 (tables), cached, lanes (bits, tables or float) or float; moves: single or
// chain. Throws InputError, with numbers, when the requested precision cannot hold the model.
std::unique_ptr<Path> choose_path(const PhysicalModel& model, const LoadOptions& options,
                                  const std::string& precision,
                                  const std::string& moves = "single");

}  // namespace chainmail
