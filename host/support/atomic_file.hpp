// Writes a file so that a reader sees the old one or the new one, never half of it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace chainmail {

// Writes to a temporary neighbour, syncs and renames. "-" is standard output. An existing file
// keeps its mode, a symbolic link is followed. Throws InputError naming the path and the system's
// reason.
void write_file(const std::string& path, std::string_view content);

// A new folder of files, by name and content, or none of them. A name may be in a folder of its
// own.
void write_folder(const std::string& path,
                  const std::vector<std::pair<std::string, std::string>>& files);

// Throws what write_file() would, as far as that is known before there is anything to write.
void try_output(const std::string& path);

// The whole file ("-" is standard input), or InputError naming the path and the reason, such as
// more than kMaxFile bytes (a device can deliver zeros for ever).
std::string read_file(const std::string& path);

inline constexpr std::size_t kMaxFile = std::size_t{1} << 30;

}  // namespace chainmail
