// A range of a device's memory, mapped into this process: a PCI function's resource file, /dev/mem
// or a UIO device. Every access is one load or store of its size, in program order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace chainmail {

// Where a window is: a file, and the place in it, a multiple of a page.
struct WindowPlace {
  std::string path;
  std::uint64_t offset = 0;
};

class MappedWindow {
 public:
  // `exclusive`: the file must not be another program's. Throws DeviceError that names the file.
  MappedWindow(const WindowPlace& place, std::size_t bytes, bool exclusive);
  ~MappedWindow();
  MappedWindow(const MappedWindow&) = delete;
  MappedWindow& operator=(const MappedWindow&) = delete;

  std::uint32_t register_at(std::size_t offset) const;
  void set_register(std::size_t offset, std::uint32_t value);
  void write(std::size_t offset, std::span<const std::uint64_t> words);
  void read(std::size_t offset, std::span<std::uint64_t> words) const;

 private:
  int file_ = -1;
  std::size_t bytes_;
  std::byte* begin_ = nullptr;
};

}  // namespace chainmail
