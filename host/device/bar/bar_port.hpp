// A kernel whose registers and memory are two windows of this process (rtl/bar), as a kernel port:
// an AWS F2 instance's BARs, another PCI card's, a Zynq's bus through /dev/mem or UIO. The kernel
// has no other memory: a call's buffers are copied in and out by this processor.
#pragma once

#include <array>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <optional>

#include "device/bar/mapped_window.hpp"
#include "device/burst_costs.hpp"
#include "device/kernel/kernel_port.hpp"
#include "topology/contract.hpp"

namespace chainmail {

struct BarBoard {
  std::string name;  // for the user
  WindowPlace registers, memory;
  double read_us = 0.0;  // how long one read of a window takes; 0: unknown
};

class BarPort : public KernelPort {
 public:
  // Throws DeviceError where there is no kernel of ours, or one that does not answer in `timeout`
  // seconds.
  BarPort(const BarBoard& board, double timeout);
  std::string describe() const override;
  const Topology& topology() const override { return topology_; }
  const BurstCosts* costs() const override { return costs_ ? &*costs_ : nullptr; }
  void start(std::size_t lane, const KernelCall& call) override;
  void finish(std::size_t lane) override;

 private:
  struct Layout;
  void identify();
  void run(const KernelCall& call);
  void copy_in(const KernelCall& call, const Layout& at);
  void start_kernel(const KernelCall& call, const Layout& at);
  void wait_for(std::uint32_t bit, const std::string& what);
  void copy_out(const KernelCall& call, const Layout& at);
  [[noreturn]] void fail(const std::string& what);

  std::string name_;
  std::chrono::duration<double> timeout_;
  MappedWindow registers_;
  std::uint32_t memory_bytes_ = 0, mhz_ = 0;
  std::optional<MappedWindow> memory_;
  Topology topology_;
  std::array<std::uint64_t, contract::kStatusWords / 2> status_{};
  std::optional<BurstCosts> costs_;
  std::string lost_;  // why the board cannot be used any more
  std::mutex busy_;
  std::map<std::size_t, std::future<void>> running_;
};

}  // namespace chainmail
