#include "xrt/memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>

namespace chainmail::emu {

Memory::Memory(const std::vector<Bank>& banks) {
  for (const Bank& bank : banks) {
    void* data = mmap(nullptr, bank.size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
      throw std::system_error(errno, std::generic_category(), "memory bank " + bank.tag);
    banks_.push_back({bank, static_cast<std::byte*>(data)});
  }
}

Memory::~Memory() {
  for (const Mapping& mapping : banks_) munmap(mapping.data, mapping.bank.size);
}

void Memory::allocate(std::uint64_t address, std::uint64_t size) {
  buffers_[address] = size;
}

void Memory::free(std::uint64_t address) {
  buffers_.erase(address);
}

std::byte* Memory::in_bank(std::uint64_t address, std::uint64_t size) {
  for (const Mapping& mapping : banks_) {
    const std::uint64_t offset = address - mapping.bank.base;  // wraps below the base: too large
    if (offset < mapping.bank.size && size <= mapping.bank.size - offset)
      return mapping.data + offset;
  }
  return nullptr;
}

Memory::Buffer Memory::buffer_at(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  auto after = buffers_.upper_bound(address);
  if (after == buffers_.begin()) return {};
  const auto& [base, size] = *std::prev(after);
  return address - base < size ? Buffer{base, size} : Buffer{};
}

std::byte* Memory::in_buffer(std::uint64_t address, std::uint64_t size) {
  const Buffer buffer = buffer_at(address);
  if (buffer.size == 0 || size > buffer.size - (address - buffer.base)) return nullptr;
  return in_bank(address, size);
}

}  // namespace chainmail::emu
