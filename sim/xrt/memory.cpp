#include "xrt/memory.hpp"

namespace chainmail::emu {

void Memory::allocate(std::uint64_t address, std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  buffers_[address] = size;
}

void Memory::free(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  buffers_.erase(address);
}

Memory::Buffer Memory::buffer_at(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  auto after = buffers_.upper_bound(address);
  if (after == buffers_.begin()) return {};
  const auto& [base, size] = *std::prev(after);
  return address - base < size ? Buffer{base, size} : Buffer{};
}

std::byte* Memory::in_buffer(std::uint64_t address, std::uint64_t size) const {
  const Buffer buffer = buffer_at(address);
  if (buffer.size == 0 || size > buffer.size - (address - buffer.base)) return nullptr;
  return in_bank(address, size);
}

}  // namespace chainmail::emu
