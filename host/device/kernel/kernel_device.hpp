// A Device on any pbit_burst kernel: keeps grids in the kernel's ring, moves only parameters and
// results in steady state, and fetches spins when somebody asks for them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device/device.hpp"
#include "device/kernel/kernel_port.hpp"
#include "device/kernel/loader.hpp"

namespace chainmail {

class KernelDevice : public Device {
 public:
  // Asks the kernel who it is; throws DeviceError when it is not of the port's topology.
  explicit KernelDevice(std::unique_ptr<KernelPort> port);
  ~KernelDevice() override;
  KernelDevice(const KernelDevice&) = delete;
  KernelDevice& operator=(const KernelDevice&) = delete;

  std::string describe() const override;
  const Topology* topology() const override { return &port_->topology(); }
  std::vector<std::string> notes() const override;
  void load(const Model& model, const LoadOptions& options) override;
  Parameters quantise(const Parameters& wanted) const override;
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override;
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override;
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override;
  const BurstResult& wait(std::size_t grid) override;

  const LoadReport& load_report() const { return image_->report(); }
  // Narrower couplings than the tables could hold, for studies of precision. Before load().
  void limit_coupling_bits(unsigned bits) { coupling_bits_ = bits; }

 private:
  // One set of replicas: its buffers, and which of them agree with the chip.
  struct Grid {
    std::uint32_t first = 0;
    std::vector<std::uint64_t> parameters, spins, best, results, status;
    bool spins_written = true;   // host's are newer
    bool spins_current = false;  // host's equal the chip's
    bool best_current = false;
    bool in_flight = false;
    BurstResult result;
  };
  KernelCall call_for(Grid& grid, std::uint32_t flags);
  void drain() noexcept;
  void run(std::size_t lane, const KernelCall& call);
  void fetch(std::size_t grid, std::uint32_t flag);
  void check_status(std::span<const std::uint64_t> status) const;

  std::unique_ptr<KernelPort> port_;
  unsigned coupling_bits_ = 0;
  LoadOptions options_;
  std::optional<KernelImage> image_;
  std::vector<Grid> grids_;
  bool all_resident_ = true;  // every grid has its own place in the ring
};

// "hls:16x3": the HLS kernel compiled into this program.
std::unique_ptr<Device> make_hls_device(const std::string& name);
std::unique_ptr<KernelPort> open_native_port(const std::string& topology);

}  // namespace chainmail
