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

std::uint64_t Memory::left_in_buffer(std::uint64_t address) const {
  auto after = buffers_.upper_bound(address);
  if (after == buffers_.begin()) return 0;
  const auto& [base, size] = *std::prev(after);
  return address - base < size ? size - (address - base) : 0;
}

std::byte* Memory::in_buffer(std::uint64_t address, std::uint64_t size) {
  return size <= left_in_buffer(address) ? in_bank(address, size) : nullptr;
}

}  // namespace chainmail::emu
