// Text put together from pieces. The files of a Vitis build are written with only this, so that a
// machine with nothing but a C++ compiler can generate them.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace chainmail {

// A number in hexadecimal, without 0x.
inline std::string hex(std::uint64_t value) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), value, 16).ptr;
  return {digits.begin(), end};
}

template <typename... Pieces>
std::string joined(const Pieces&... pieces) {
  std::string all;
  const auto add = [&all](const auto& piece) {
    if constexpr (std::integral<std::decay_t<decltype(piece)>>) {
      all += std::to_string(piece);
    } else {
      all += piece;
    }
  };
  (add(pieces), ...);
  return all;
}

}  // namespace chainmail
