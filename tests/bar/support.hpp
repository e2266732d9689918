// What the tests of BARs share: a simulated F2 instance and the port on one of its slots.
#pragma once

#include <memory>
#include <string>

#include "../rtl/random_burst.hpp"
#include "bar/simulated_f2.hpp"
#include "device/bar/bar_device.hpp"
#include "device/kernel/kernel_device.hpp"

namespace chainmail::test {

inline constexpr const char* kRing = "8x3-b17-r64";
inline constexpr const char* kFlips = "16-flips";
inline constexpr std::uint32_t kEverything =
    contract::kLoadTables | contract::kLoadSpins | contract::kStoreSpins | contract::kStoreBest;

inline std::unique_ptr<BarPort> open_slot(std::size_t slot, double timeout = 120) {
  return std::make_unique<BarPort>(bar_board("f2:" + std::to_string(slot)), timeout);
}

}  // namespace chainmail::test
