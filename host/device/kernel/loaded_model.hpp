// A model on a kernel, in one of two ways: with only the chains' constraint the grids stay in the
// kernel's ring (resident_grids.cpp), as do those of a row kernel; a constraint of the problem's
// own needs tables for every penalty, and grids are sent with each launch (column_launches.cpp).
// The functions are those of Device.
#pragma once

#include <memory>

#include "device/device.hpp"
#include "device/kernel/kernel_port.hpp"

namespace chainmail {

class LoadedModel {
 public:
  virtual ~LoadedModel() = default;
  virtual std::string describe() const = 0;  // what rounding did to the couplings
  virtual std::vector<std::string> notes() const = 0;
  virtual Parameters quantise(const Parameters& wanted) const = 0;
  virtual void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) = 0;
  virtual std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) = 0;
  virtual void submit(std::size_t grid, std::span<const Parameters> parameters,
                      std::uint32_t sweeps, std::uint64_t burst_number) = 0;
  virtual const BurstResult& wait(std::size_t grid) = 0;
};

std::unique_ptr<LoadedModel> load_resident(KernelPort& port, const PhysicalModel& model,
                                           const LoadOptions& options, unsigned coupling_bits);
std::unique_ptr<LoadedModel> load_columns(KernelPort& port, const PhysicalModel& model,
                                          const LoadOptions& options);

}  // namespace chainmail
