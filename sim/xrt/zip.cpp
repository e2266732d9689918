// Layout after the ZIP application note: every file behind a local header, then the directory,
// then its end record. Stored, not deflated: the archive is unpacked at every start.
#include "xrt/zip.hpp"

#include <zlib.h>

#include <cstdint>
#include <stdexcept>

namespace chainmail::emu {

namespace {

constexpr std::uint16_t version_needed = 20;
constexpr std::uint16_t made_by_unix = 3u << 8 | version_needed;  // so that file modes are kept
constexpr std::uint16_t date = (2024 - 1980) << 9 | 1 << 5 | 1;   // fixed: same input, same bytes

void put16(std::string& out, std::uint32_t value) {
  out.push_back(static_cast<char>(value));
  out.push_back(static_cast<char>(value >> 8));
}

void put32(std::string& out, std::uint32_t value) {
  put16(out, value & 0xffffu);
  put16(out, value >> 16);
}

// The part that local header and directory entry share.
void put_common(std::string& out, const ZipEntry& entry) {
  const auto* data = reinterpret_cast<const Bytef*>(entry.content.data());
  const auto size = static_cast<std::uint32_t>(entry.content.size());
  put16(out, version_needed);
  put16(out, 0);  // flags
  put16(out, 0);  // stored
  put16(out, 0);  // time
  put16(out, date);
  put32(out, static_cast<std::uint32_t>(crc32_z(0, data, entry.content.size())));
  put32(out, size);
  put32(out, size);
  put16(out, static_cast<std::uint32_t>(entry.name.size()));
  put16(out, 0);  // extra field
}

}  // namespace

std::string make_zip(const std::vector<ZipEntry>& entries) {
  std::string files, directory;
  for (const ZipEntry& entry : entries) {
    if (files.size() + entry.content.size() > UINT32_MAX - 65536)
      throw std::runtime_error("too large for a zip archive: " + entry.name);
    const auto at = static_cast<std::uint32_t>(files.size());
    put32(files, 0x04034b50);
    put_common(files, entry);
    files += entry.name;
    files += entry.content;

    const std::uint32_t mode = entry.executable ? 0100755 : 0100644;
    put32(directory, 0x02014b50);
    put16(directory, made_by_unix);
    put_common(directory, entry);
    put16(directory, 0);  // comment
    put16(directory, 0);  // disk
    put16(directory, 0);  // internal attributes
    put32(directory, mode << 16);
    put32(directory, at);
    directory += entry.name;
  }
  std::string archive = files + directory;
  put32(archive, 0x06054b50);
  put32(archive, 0);  // this disk, disk of the directory
  put16(archive, static_cast<std::uint32_t>(entries.size()));
  put16(archive, static_cast<std::uint32_t>(entries.size()));
  put32(archive, static_cast<std::uint32_t>(directory.size()));
  put32(archive, static_cast<std::uint32_t>(files.size()));
  put16(archive, 0);
  return archive;
}

}  // namespace chainmail::emu
