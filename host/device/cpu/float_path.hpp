// Floating-point sampling of any model: the path that is always possible.
#pragma once

#include <memory>

#include "device/cpu/path.hpp"

namespace chainmail {

// Single precision, or double where single would round the fields too coarsely. `why` is what ruled
// out the faster paths, for the user.
std::unique_ptr<Path> make_float_path(const PhysicalModel& model, const LoadOptions& options,
                                      const std::string& why);

// The same arithmetic with all copies of a spin resampled at once (chain_sweep.cpp).
std::unique_ptr<Path> make_chain_path(const PhysicalModel& model, const LoadOptions& options);

}  // namespace chainmail
