// Which of the row kernels that are there is the smallest to hold a problem, for devices named
// hls:rows, sw_emu:rows and hw_emu:rows.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "topology/topology.hpp"

namespace chainmail {

inline constexpr const char* kAnyRows = "rows";  // instead of a topology's name

// Throws InputError that lists what there is and says why the largest does not do.
Topology choose_rows(const std::vector<Topology>& built, const DeviceOptions& problem);

}  // namespace chainmail
