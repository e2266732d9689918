// Software emulation: a compute unit whose runs are calls of the HLS kernel's C++. The kernel's
// on-chip memories are static, so each unit has its own copy of the kernel (the same object, linked
// under another name: sim/xrt/xrt.mk).
#include <array>
#include <map>
#include <mutex>
#include <stdexcept>

#include "device/kernel/native_kernel.hpp"
#include "topology/contract.hpp"
#include "xrt/unit_port.hpp"

extern "C" {
chainmail::BurstFunction pbit_burst_unit1;
chainmail::BurstFunction pbit_burst_unit2;
chainmail::BurstFunction pbit_burst_unit3;
chainmail::BurstFunction pbit_burst_unit4;
}

namespace chainmail::emu {

namespace {

constexpr std::array kernels = {&pbit_burst_unit1, &pbit_burst_unit2, &pbit_burst_unit3,
                                &pbit_burst_unit4};

class HlsUnit : public UnitPort {
 public:
  HlsUnit(Memory& memory, BurstFunction* kernel) : memory_(memory), burst_(kernel) {}

  std::uint32_t read(std::uint32_t offset) override {
    const std::lock_guard lock(mutex_);
    if (offset != control::address) return registers_[offset];
    if (busy_) return control::start;
    const std::uint32_t value = control::idle | (done_ ? control::done | control::ready : 0);
    done_ = false;  // cleared by reading, as in hardware
    return value;
  }

  void write(std::uint32_t offset, std::uint32_t value) override {
    const std::lock_guard lock(mutex_);
    if (offset != control::address)
      registers_[offset] = value;
    else if ((value & control::start) != 0)
      busy_ = true;
  }

  void run() override {
    std::unique_lock lock(mutex_);
    const std::map<std::uint32_t, std::uint32_t> registers = registers_;
    lock.unlock();
    burst(registers);
    lock.lock();
    busy_ = false;
    done_ = true;
  }

 private:
  void burst(const std::map<std::uint32_t, std::uint32_t>& registers) {
    // Arguments in call order: six buffers, four 32-bit scalars, the 64-bit seed.
    std::array<std::uint64_t, contract::kArguments.size()> value{};
    for (std::size_t i = 0; i < value.size(); ++i) {
      const contract::Argument& argument = contract::kArguments[i];
      const auto word = [&](std::uint32_t offset) {
        const auto found = registers.find(offset);
        return found == registers.end() ? 0u : found->second;
      };
      value[i] = word(argument.offset);
      if (argument.bits == 64) value[i] |= std::uint64_t{word(argument.offset + 4)} << 32;
    }
    const auto scalar = [&](std::size_t i) { return static_cast<unsigned>(value[i]); };
    burst_(buffer(value[0]), buffer(value[1]), buffer(value[2]), buffer(value[3]), buffer(value[4]),
           buffer(value[5]), scalar(6), scalar(7), scalar(8), scalar(9), value[10]);
  }

  // The host's memory behind a device address; null stays null, as the contract allows.
  KernelWord* buffer(std::uint64_t address) {
    return reinterpret_cast<KernelWord*>(memory_.in_buffer(address, sizeof(KernelWord)));
  }

  Memory& memory_;
  BurstFunction* burst_;
  std::mutex mutex_;
  std::map<std::uint32_t, std::uint32_t> registers_;
  bool busy_ = false, done_ = false;
};

}  // namespace

std::unique_ptr<UnitPort> make_unit(Memory& memory, std::uint32_t unit) {
  if (unit >= kernels.size())
    throw std::runtime_error("this device has " + std::to_string(kernels.size()) +
                             " compute units");
  return std::make_unique<HlsUnit>(memory, kernels[unit]);
}

}  // namespace chainmail::emu
