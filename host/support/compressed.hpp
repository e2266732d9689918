// Files as they are found: plain text, gzip or xz, recognised by their first bytes.
#pragma once

#include <string>

namespace chainmail {

// The whole text of a file ("-" is standard input). Throws InputError naming the path when it
// cannot be read, is damaged, or would grow beyond kMaxExpanded.
std::string read_text(const std::string& path);

inline constexpr std::size_t kMaxExpanded = std::size_t{1} << 28;

// "model.lp.xz" without ".xz" or ".gz".
std::string without_compression(const std::string& path);

}  // namespace chainmail
