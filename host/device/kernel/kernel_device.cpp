#include "device/kernel/kernel_device.hpp"

#include <fmt/format.h>

#include <limits>

#include "device/kernel/kernel_call.hpp"
#include "device/kernel/loader.hpp"
#include "support/error.hpp"
#include "topology/contract.hpp"

namespace chainmail {

KernelDevice::KernelDevice(std::unique_ptr<KernelPort> port) : port_(std::move(port)) {
  std::vector<std::uint64_t> status(contract::kStatusWords / 2, 0);
  KernelCall call;
  call.status = status;
  call.flags = contract::kDescribe;
  run_call(*port_, 0, call);
  const std::uint64_t hash = status[contract::kWordHashLow / 2];
  if (half(status, contract::kWordMagic) != contract::kMagic ||
      half(status, contract::kWordVersion) != contract::kVersion ||
      hash != port_->topology().hash) {
    throw DeviceError(fmt::format(
        "{}: kernel reports version {:#x}, topology {:016x}; this program has version {:#x}, "
        "topology {} with {:016x}: build both from the same sources",
        port_->describe(), half(status, contract::kWordVersion), hash, contract::kVersion,
        port_->topology().name, port_->topology().hash));
  }
}

std::string KernelDevice::describe() const {
  const Topology& t = port_->topology();
  const std::string loaded = loaded_ ? ", " + loaded_->describe() : "";
  if (t.options.flips) {
    return fmt::format("{}: {} rows, {} drawn side by side, {} replicas{}", port_->describe(),
                       t.pbits(), t.options.lanes, t.options.max_replicas, loaded);
  }
  if (t.options.rows()) {
    return fmt::format("{}: {} rows, {} lanes of {} replicas{}", port_->describe(), t.pbits(),
                       t.options.lanes, t.lane_replicas(), loaded);
  }
  return fmt::format("{}: {} p-bits in {} colours, ring of {} replicas{}", port_->describe(),
                     t.pbits(), t.stages.size(), t.options.max_replicas, loaded);
}

std::vector<std::string> KernelDevice::notes() const {
  return loaded_ ? loaded_->notes() : std::vector<std::string>{};
}

void KernelDevice::load(const PhysicalModel& model, const LoadOptions& options) {
  const Topology& t = port_->topology();
  if (options.replicas < 1 || options.replicas > t.options.max_replicas) {
    throw InputError(fmt::format("{} replicas per grid; topology {} holds 1 to {}",
                                 options.replicas, t.name, t.options.max_replicas));
  }
  loaded_.reset();
  if (model.forms) {
    if (!t.options.dense()) {
      throw InputError("topology " + t.name +
                       " has no linear forms: they need a row or flip kernel");
    }
    loaded_ = load_resident(*port_, model, options, coupling_bits_);
    return;
  }
  if (t.options.dense() && !model.g.is_zero()) {
    throw InputError(fmt::format(
        "the model's constraint has {} couplings; topology {} runs models without constraints{}",
        model.g.couplings.size(), t.name,
        t.options.rows() || t.options.penalised() ? ", or with linear forms" : ""));
  }
  const OwnConstraint constraint = own_constraint(model.g, t);
  const bool chains_alone = constraint.own.is_zero() && constraint.link_weight == 1.0;
  loaded_ = chains_alone ? load_resident(*port_, model, options, coupling_bits_)
                         : load_columns(*port_, model, options);
}

Parameters KernelDevice::quantise(const Parameters& wanted) const {
  return loaded_->quantise(wanted);
}

void KernelDevice::write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) {
  loaded_->write_spins(grid, replica, spins);
}

std::vector<Spin> KernelDevice::read_spins(std::size_t grid, std::size_t replica, Which which) {
  return loaded_->read_spins(grid, replica, which);
}

void KernelDevice::submit(std::size_t grid, std::span<const Parameters> parameters,
                          std::uint64_t sweeps, std::uint64_t burst_number) {
  if (sweeps > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format("{} sweeps in one burst; a kernel takes up to 2^32 - 1", sweeps));
  }
  loaded_->submit(grid, parameters, static_cast<std::uint32_t>(sweeps), burst_number);
}

const BurstResult& KernelDevice::wait(std::size_t grid) {
  return loaded_->wait(grid);
}

}  // namespace chainmail
