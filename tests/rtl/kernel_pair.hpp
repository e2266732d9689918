// The HLS kernel and the Verilated RTL kernel of one topology side by side.
#pragma once

#include <memory>

#include "device/kernel/kernel_device.hpp"
#include "random_burst.hpp"
#include "rtl_port.hpp"
#include "topology/contract.hpp"

namespace chainmail::test {

constexpr std::uint32_t kEverything =
    contract::kLoadTables | contract::kLoadSpins | contract::kStoreSpins | contract::kStoreBest;

class KernelPair {
 public:
  explicit KernelPair(const std::string& topology) : KernelPair(topology, topology) {}
  KernelPair(const std::string& topology, const std::string& core)
      : golden_(open_native_port(topology)), rtl_(topology, core) {}
  const Topology& topology() const { return golden_->topology(); }
  KernelPort& golden() { return *golden_; }
  sim::RtlPort& rtl() { return rtl_; }
  sim::RtlKernel& kernel() { return rtl_.kernel(); }

  // Runs a call on both; reports where their outputs differ.
  std::string compare(const Buffers& input) {
    Buffers expected = input, actual = input;
    run(*golden_, expected);
    run(rtl_, actual);
    return difference(expected, actual);
  }

 private:
  std::unique_ptr<KernelPort> golden_;
  sim::RtlPort rtl_;
};

}  // namespace chainmail::test
