// The smallest available kernel of a family that holds a problem, for devices named hls:rows,
// hls:flips and the same behind sw_emu and hw_emu.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "topology/topology.hpp"

namespace chainmail {

// Whether it stands for any topology of a family: rows or flips.
bool names_family(const std::string& name);

// Throws InputError that lists what is available and says why the largest does not fit.
Topology choose_dense(const std::string& family, const std::vector<Topology>& built,
                      const DeviceOptions& problem);

}  // namespace chainmail
