#include "device/xrt/unit_devices.hpp"

#include <algorithm>

namespace chainmail {

namespace {

class UnitDevices : public Device {
 public:
  explicit UnitDevices(std::vector<std::unique_ptr<Device>> units) : units_(std::move(units)) {}

  std::string describe() const override {
    return std::to_string(units_.size()) + " compute units, each " + units_.front()->describe();
  }
  std::string sampler() const override { return units_.front()->sampler(); }
  const Topology* topology() const override { return units_.front()->topology(); }
  const BurstCosts* costs() const override { return units_.front()->costs(); }
  std::size_t driver_of(std::size_t grid) const override { return grid / share_; }
  std::vector<std::string> notes() const override { return units_.front()->notes(); }

  void load(const PhysicalModel& model, const LoadOptions& options) override {
    share_ = (options.grids + units_.size() - 1) / units_.size();
    for (std::size_t unit = 0; unit * share_ < options.grids; ++unit) {
      LoadOptions part = options;
      part.grids = std::min(share_, options.grids - unit * share_);
      part.seed = options.seed + unit * share_;  // noise depends on seed + grid number
      units_[unit]->load(model, part);
    }
  }
  Parameters quantise(const Parameters& wanted) const override {
    return units_.front()->quantise(wanted);
  }
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override {
    of(grid).write_spins(grid % share_, replica, spins);
  }
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override {
    return of(grid).read_spins(grid % share_, replica, which);
  }
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override {
    of(grid).submit(grid % share_, parameters, sweeps, burst_number);
  }
  const BurstResult& wait(std::size_t grid) override { return of(grid).wait(grid % share_); }

 private:
  Device& of(std::size_t grid) { return *units_.at(grid / share_); }

  std::vector<std::unique_ptr<Device>> units_;
  std::size_t share_ = 1;  // grids of a unit
};

}  // namespace

std::unique_ptr<Device> combine_units(std::vector<std::unique_ptr<Device>> units) {
  if (units.size() == 1) return std::move(units.front());
  return std::make_unique<UnitDevices>(std::move(units));
}

}  // namespace chainmail
