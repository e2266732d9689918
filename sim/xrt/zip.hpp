// A zip archive of files stored as they are: what XRT expects inside an emulation xclbin.
#pragma once

#include <string>
#include <vector>

namespace chainmail::emu {

struct ZipEntry {
  std::string name;  // with '/' between folders
  std::string content;
  bool executable = false;
};

std::string make_zip(const std::vector<ZipEntry>& entries);

}  // namespace chainmail::emu
