// Everything Debian's XRT needs to find our emulated device, written into a run folder and returned
// as environment variables for the process that will use it. The user exports nothing.
#pragma once

#include <map>
#include <string>

#include "device/xrt/run_folder.hpp"

namespace chainmail {

// XRT looks for its parts in $XILINX_XRT/lib. If no installation was sourced, this makes such a
// folder with a link to the libraries. Empty otherwise.
std::map<std::string, std::string> prepare_xrt_home(const RunFolder& folder);

// `preload` is the library that shortens the shim's sleeps.
std::map<std::string, std::string> prepare_emulation(const RunFolder& folder,
                                                     const std::string& preload);

}  // namespace chainmail
