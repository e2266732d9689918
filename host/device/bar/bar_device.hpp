// Boards behind two windows, by name: f2:SLOT is an FPGA of an AWS F2 instance,
// bar:REGISTERS+MEMORY any other, each window a file and, after @, the place in it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device/bar/bar_port.hpp"
#include "device/device.hpp"

namespace chainmail {

bool is_bar_device(const std::string& name);
BarBoard bar_board(const std::string& name);  // throws UsageError, DeviceError
std::unique_ptr<Device> make_bar_device(const DeviceOptions& options);
std::vector<std::string> list_bar_devices();

// Where Linux lists PCI functions; a simulation lists its own elsewhere.
std::filesystem::path& pci_functions();

}  // namespace chainmail
