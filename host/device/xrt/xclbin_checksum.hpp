// The mark and checksum our emulation xclbins carry in header fields XRT does not use.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "support/random.hpp"

namespace chainmail {

inline constexpr std::string_view xclbin_maker = "chainmail-emu";  // in m_debug_bin

// Of everything after the fixed part of the header; stored in m_uniqueId.
inline std::uint64_t xclbin_checksum(std::string_view content) {
  std::uint64_t state = content.size();
  for (std::size_t i = 0; i < content.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, content.data() + i, i + 8 <= content.size() ? 8 : content.size() - i);
    state = mix64(state ^ word);
  }
  return state;
}

}  // namespace chainmail
