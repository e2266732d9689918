// Counts as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace chainmail {

inline std::string count_text(std::uint64_t value) {  // "102,400"
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// "1 row", "1,024 rows"; the plural adds an s unless given: "1 vertex is", "2 vertices are".
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many = "") {
  std::string text = count_text(count) + " ";
  if (count == 1 || many.empty()) text += one;
  if (count != 1) text += many.empty() ? "s" : many;
  return text;
}

}  // namespace chainmail
