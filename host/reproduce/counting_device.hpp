// A device that counts the replica sweeps it is asked for, so that a pilot's cost is what it ran,
// not what its author says.
#pragma once

#include "device/device.hpp"

namespace chainmail::reproduce {

class CountingDevice : public Device {
 public:
  explicit CountingDevice(Device& device) : device_(device) {}
  std::uint64_t replica_sweeps() const { return replica_sweeps_; }

  std::string describe() const override { return device_.describe(); }
  const Topology* topology() const override { return device_.topology(); }
  std::vector<std::string> notes() const override { return device_.notes(); }
  void load(const Model& model, const LoadOptions& options) override {
    device_.load(model, options);
  }
  Parameters quantise(const Parameters& wanted) const override { return device_.quantise(wanted); }
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override {
    device_.write_spins(grid, replica, spins);
  }
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override {
    return device_.read_spins(grid, replica, which);
  }
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override {
    replica_sweeps_ += parameters.size() * sweeps;
    device_.submit(grid, parameters, sweeps, burst_number);
  }
  const BurstResult& wait(std::size_t grid) override { return device_.wait(grid); }

 private:
  Device& device_;
  std::uint64_t replica_sweeps_ = 0;
};

}  // namespace chainmail::reproduce
