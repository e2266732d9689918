// A device made of devices. The replicas of every grid are cut into tiles, by the options alone;
// tiles are dealt to the members in order. A tile's noise belongs to the tile, so any number of
// members gives the same bits.
//
// A burst is a pure function, so a member that fails costs only time: all tiles are dealt again and
// rerun from the last saved states.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace chainmail {

struct GroupOptions {
  std::size_t tiles = 1;  // a grid is cut into; never more than it has replicas
  bool mixed = false;     // members may differ in their arithmetic
};

// Throws UsageError for members that differ, unless `mixed`.
std::unique_ptr<Device> make_group_device(std::vector<std::unique_ptr<Device>> members,
                                          const GroupOptions& options);

}  // namespace chainmail
