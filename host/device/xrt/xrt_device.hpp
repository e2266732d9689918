// The devices behind XRT: `sw_emu` and `hw_emu` (our emulated boards) and `xrt` (real ones). They
// share every line from here down; only the xclbin and the environment differ.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace chainmail {

// The part of a --device name that XRT answers for: sw_emu[:TOPOLOGY], hw_emu[:TOPOLOGY],
// xrt[:INDEX or PCIe address].
bool is_xrt_device(const std::string& name);

// Opens it, loads the xclbin and checks version, topology and limits of the kernel. Without a
// topology in the name, an emulator takes the smallest one built that holds options.spins.
std::unique_ptr<Device> make_xrt_device(const DeviceOptions& options);

// A line for each emulator that is built and each board XRT knows, for `chainmail devices`.
std::vector<std::string> list_xrt_devices();

}  // namespace chainmail
