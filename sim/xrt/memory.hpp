// The memory of an emulated board as its kernels see it: the banks, and which parts of them the
// host has allocated. Both the host's buffer copies and the kernel's AXI traffic end here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "xrt/shared_device.hpp"

namespace chainmail::emu {

class Memory {
 public:
  explicit Memory(SharedDevice& device) : device_(device) {}

  // The buffers the host has allocated; a kernel may touch nothing else.
  void allocate(std::uint64_t address, std::uint64_t size);
  void free(std::uint64_t address);

  // Host memory behind [address, address + size), or nullptr when no bank holds all of it.
  std::byte* in_bank(std::uint64_t address, std::uint64_t size) const {
    return device_.in_bank(address, size);
  }
  // The same, but only inside one allocated buffer: what a kernel's access must satisfy.
  std::byte* in_buffer(std::uint64_t address, std::uint64_t size) const;
  struct Buffer {
    std::uint64_t base = 0, size = 0;  // size 0: none
  };
  Buffer buffer_at(std::uint64_t address) const;  // the one that holds this address

 private:
  SharedDevice& device_;
  mutable std::mutex mutex_;  // host calls and kernel runs come from different threads
  std::map<std::uint64_t, std::uint64_t> buffers_;  // address -> size
};

}  // namespace chainmail::emu
