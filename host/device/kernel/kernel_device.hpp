// A Device on any pbit_burst kernel: identifies it, and loads a model the way its constraint needs
// (loaded_model.hpp).
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "device/kernel/kernel_port.hpp"
#include "device/kernel/loaded_model.hpp"

namespace chainmail {

class KernelDevice : public Device {
 public:
  // Throws DeviceError when the kernel is not of the port's topology.
  explicit KernelDevice(std::unique_ptr<KernelPort> port);

  std::string describe() const override;
  std::string sampler() const override { return "kernel " + port_->topology().name; }
  const Topology* topology() const override { return &port_->topology(); }
  const BurstCosts* costs() const override { return port_->costs(); }
  std::vector<std::string> notes() const override;
  void load(const PhysicalModel& model, const LoadOptions& options) override;
  Parameters quantise(const Parameters& wanted) const override;
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override;
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override;
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override;
  const BurstResult& wait(std::size_t grid) override;

  // Narrower couplings than the tables could hold, for studies of precision. Before load().
  void limit_coupling_bits(unsigned bits) { coupling_bits_ = bits; }

 private:
  std::unique_ptr<KernelPort> port_;
  unsigned coupling_bits_ = 0;
  std::unique_ptr<LoadedModel> loaded_;
};

// "hls:16x3": the HLS kernel compiled into this program.
std::unique_ptr<Device> make_hls_device(const std::string& name);
// The same, and hls:rows: the smallest row kernel that holds the problem.
std::unique_ptr<Device> make_hls_device(const DeviceOptions& options);
std::unique_ptr<KernelPort> open_native_port(const std::string& topology);

}  // namespace chainmail
