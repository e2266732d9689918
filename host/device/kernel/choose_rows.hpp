// The smallest available row kernel that holds a problem, for devices named hls:rows, sw_emu:rows
// and hw_emu:rows.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "topology/topology.hpp"

namespace chainmail {

inline constexpr const char* kAnyRows = "rows";  // instead of a topology's name

// Throws InputError that lists what is available and says why the largest does not fit.
Topology choose_rows(const std::vector<Topology>& built, const DeviceOptions& problem);

}  // namespace chainmail
