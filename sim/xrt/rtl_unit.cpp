// Hardware emulation: a compute unit that is the Verilated RTL kernel. Registers are written and
// read over its AXI4-Lite port and memory is reached over its AXI4 master, clock by clock. The
// memory behind the master holds, for the time of a run, exactly the buffers its pointer arguments
// name: an access to anything else is answered with a decode error, as a platform would.
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "rtl_kernel.hpp"
#include "topology/contract.hpp"
#include "xrt/unit_port.hpp"

namespace chainmail::emu {

namespace {

// Clocks between checks of the control register and of requests from the host.
constexpr std::uint64_t clocks_a_turn = 128;

class RtlUnit : public UnitPort {
 public:
  explicit RtlUnit(Memory& memory) : memory_(memory), kernel_(sim::KernelCore::names().at(0)) {}

  std::uint32_t read(std::uint32_t offset) override {
    const std::lock_guard lock(mutex_);
    if (offset != control::address) return kernel_.read_register(offset);
    if (busy_) return control::start;
    // Our own read saw the end of a run and cleared it: report it once.
    return std::exchange(ended_, 0) | kernel_.read_register(offset);
  }

  void write(std::uint32_t offset, std::uint32_t value) override {
    const std::lock_guard lock(mutex_);
    const bool start = offset == control::address && (value & control::start) != 0;
    if (start && busy_) return;
    if (start) bring_buffers();
    kernel_.write_register(offset, value);
    if (!start) return;
    busy_ = true;
  }

  // Time passes for the kernel only while it runs.
  void run() override {
    std::unique_lock lock(mutex_);
    while (((ended_ = kernel_.read_register(control::address)) & control::done) == 0) {
      kernel_.clock(clocks_a_turn);
      lock.unlock();  // the host may want a register
      lock.lock();
    }
    fetch_buffers();
    busy_ = false;
  }

 private:
  void bring_buffers() {
    for (const contract::Argument& argument : contract::kArguments) {
      if (!argument.pointer) continue;
      const std::uint64_t address = kernel_.read_register(argument.offset) |
                                    std::uint64_t{kernel_.read_register(argument.offset + 4)} << 32;
      const Memory::Buffer buffer = memory_.buffer_at(address);
      const bool image = argument.offset == contract::offset_of("tables");
      sim::AxiMemory& lent = image ? kernel_.image_memory() : kernel_.memory();
      if (buffer.size == 0 || !lent_.emplace(buffer.base, &lent).second)
        continue;  // arguments may share a buffer
      lent.allocate(buffer.base, buffer.size);
      std::memcpy(lent.at(buffer.base, buffer.size).data(),
                  memory_.in_bank(buffer.base, buffer.size), buffer.size);
    }
  }

  void fetch_buffers() {
    for (const auto& [base, lent] : lent_) {
      const Memory::Buffer buffer = memory_.buffer_at(base);
      // Nothing is written to where an image is read; a buffer of size 0 was freed during the run.
      if (buffer.size != 0 && lent == &kernel_.memory())
        std::memcpy(memory_.in_bank(base, buffer.size), lent->at(base, buffer.size).data(),
                    buffer.size);
      lent->release(base);
    }
    lent_.clear();
  }

  Memory& memory_;
  std::mutex mutex_;
  sim::RtlKernel kernel_;
  std::set<std::pair<std::uint64_t, sim::AxiMemory*>> lent_;  // bases of buffers, and their user
  bool busy_ = false;
  std::uint32_t ended_ = 0;
};

}  // namespace

std::unique_ptr<UnitPort> make_unit(Memory& memory, std::uint32_t) {
  return std::make_unique<RtlUnit>(memory);
}

}  // namespace chainmail::emu
