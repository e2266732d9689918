// What Vitis has to know about the kernel: the metadata of the RTL kernel (kernel.xml) and which
// memory bank each argument of each compute unit uses. Both come from the contract.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace chainmail {

// kernel.xml of a kernel (pbit_burst, pbit_rows) for package_xo (UG1393, "RTL Kernel XML File").
std::string kernel_xml(const std::string& kernel);

// The configuration for `v++ -l` with that many compute units, from a board file (constraints/):
// the [board] section is left out, @CUS@ becomes the number, @KERNEL@ the kernel, a line with
// @ARGUMENT@ is repeated for every pointer argument, and lines about units beyond the number are
// dropped. With buffers "host" all arguments but the row kernel's image are in the host's memory
// instead of the board's banks
// ("card"). Throws InputError
// that names the file when it does not place so many units.
std::string link_config(const std::string& file, const std::string& text, std::size_t units,
                        const std::string& buffers = "card",
                        const std::string& kernel = "pbit_burst");

// The C++ source of known_boards() (device/xrt/board_facts.hpp) from the [board] sections of board
// files, as pairs of path and content. Throws InputError that names a file and what it lacks.
std::string board_table(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace chainmail
