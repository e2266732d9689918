// Not memcpy: it may touch a byte twice, or in another order, and a bus is no memory.
#include "device/bar/mapped_window.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "support/error.hpp"

namespace chainmail {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw DeviceError(path + ": " + what);
}

std::string why_not() {
  if (errno == EACCES || errno == EPERM)
    return "no permission to open it: run as root, or give this user access to the file";
  return std::strerror(errno);
}

}  // namespace

MappedWindow::MappedWindow(const WindowPlace& place, std::size_t bytes, bool exclusive)
    : bytes_(bytes) {
  const std::string& path = place.path;
  file_ = open(path.c_str(), O_RDWR | O_SYNC | O_CLOEXEC);
  if (file_ < 0) fail(path, why_not());
  try {
    if (exclusive && flock(file_, LOCK_EX | LOCK_NB) != 0) fail(path, "in use by another program");
    struct stat facts {};
    if (fstat(file_, &facts) != 0) fail(path, std::strerror(errno));
    // Devices have no size; a PCI function's resource file has its BAR's.
    if (S_ISREG(facts.st_mode) && static_cast<std::uint64_t>(facts.st_size) < place.offset + bytes)
      fail(path, fmt::format("has {} bytes, expected {} from {:#x} on", facts.st_size, bytes,
                             place.offset));
    void* begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_,
                       static_cast<off_t>(place.offset));
    if (begin == MAP_FAILED)
      fail(path,
           fmt::format("cannot be mapped from {:#x} on: {}", place.offset, std::strerror(errno)));
    begin_ = static_cast<std::byte*>(begin);
  } catch (...) {
    close(file_);
    throw;
  }
}

MappedWindow::~MappedWindow() {
  munmap(begin_, bytes_);
  close(file_);
}

std::uint32_t MappedWindow::register_at(std::size_t offset) const {
  return *reinterpret_cast<const volatile std::uint32_t*>(begin_ + offset);
}

void MappedWindow::set_register(std::size_t offset, std::uint32_t value) {
  *reinterpret_cast<volatile std::uint32_t*>(begin_ + offset) = value;
}

void MappedWindow::write(std::size_t offset, std::span<const std::uint64_t> words) {
  auto* const to = reinterpret_cast<volatile std::uint64_t*>(begin_ + offset);
  for (std::size_t i = 0; i < words.size(); ++i) to[i] = words[i];
}

void MappedWindow::read(std::size_t offset, std::span<std::uint64_t> words) const {
  const auto* const from = reinterpret_cast<const volatile std::uint64_t*>(begin_ + offset);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = from[i];
}

}  // namespace chainmail
