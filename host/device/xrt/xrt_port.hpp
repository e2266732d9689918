// One compute unit of an XRT device as a kernel port: buffers by kernel argument, one set a lane,
// so that several grids are under way at once; a call moves only what its flags need.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "device/kernel/kernel_port.hpp"
#include "device/xrt/session.hpp"
#include "topology/contract.hpp"

namespace chainmail {

// The status block of the kernel on a compute unit. Throws DeviceError when there is none.
std::vector<std::uint64_t> describe_unit(const std::shared_ptr<XrtSession>& session,
                                         std::uint32_t unit, const std::string& name);

class XrtPort : public KernelPort {
 public:
  XrtPort(std::shared_ptr<XrtSession> session, std::uint32_t unit, Topology topology,
          std::string name);
  std::string describe() const override;
  const Topology& topology() const override { return topology_; }
  void start(std::size_t lane, const KernelCall& call) override;
  void finish(std::size_t lane) override;

 private:
  struct Lane {
    std::array<XrtBuffer, contract::kArguments.size()> buffers{};  // of the pointer arguments
    std::vector<std::span<std::uint64_t>> targets;                 // of the reads under way
  };
  std::uint32_t run_number(std::size_t lane) const;

  std::shared_ptr<XrtSession> session_;
  std::uint32_t unit_;
  Topology topology_;
  std::string name_;
  std::map<std::size_t, Lane> lanes_;
  std::uint64_t clocks_ = 0;  // the kernel counted in sweeps
};

}  // namespace chainmail
