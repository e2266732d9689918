// The emulated board: where its memory banks and compute units lie. The xclbin writer describes it
// to XRT, the device program builds it; both read it here. No base is zero, so that using an
// address as an offset (or vice versa) is noticed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace chainmail::emu {

struct Bank {
  std::string_view tag;
  std::uint64_t base, size;  // bytes
};

namespace platform {

inline constexpr const char* device_name = "xilinx_u55c_gen3x16_xdma_base_3";
inline constexpr std::uint64_t unit_base = 0x1800000;  // control port of the first compute unit
inline constexpr std::uint64_t unit_stride = 0x10000;  // and the distance to the next
inline constexpr std::uint32_t units_max = 16;
inline constexpr std::uint64_t bank_size = 256u << 20;
inline constexpr std::array banks = {Bank{"bank0", 0x4000000000, bank_size},
                                     Bank{"bank1", 0x5000000000, bank_size}};

}  // namespace platform
}  // namespace chainmail::emu
