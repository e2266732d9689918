// One compute unit of an XRT device as a kernel port. A lane has one buffer for everything a call
// moves, laid out so that input and output are one copy each: a card needs tens of microseconds for
// a copy, whatever its size. Tables have their own buffer.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "device/burst_costs.hpp"
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
          std::string name, std::optional<BurstCosts> costs = {});
  std::string describe() const override;
  const Topology& topology() const override { return topology_; }
  const BurstCosts* costs() const override { return costs_ ? &*costs_ : nullptr; }
  void start(std::size_t lane, const KernelCall& call) override;
  void finish(std::size_t lane) override;

 private:
  // Where a part of the current copy goes: its offset in bytes.
  struct Target {
    std::size_t from = 0;
    std::span<std::uint64_t> words;
  };
  struct Lane {
    XrtBuffer tables, exchange;
    std::vector<std::byte> outgoing;
    std::vector<Target> targets;  // the status block last
  };
  std::uint32_t run_number(std::size_t lane) const;
  // A buffer of at least this size, in the memory that argument number `argument` reaches.
  void make_room(XrtBuffer& buffer, std::size_t argument, std::size_t size);

  std::shared_ptr<XrtSession> session_;
  std::uint32_t unit_;
  Topology topology_;
  std::string name_;
  std::optional<BurstCosts> costs_;
  std::map<std::size_t, Lane> lanes_;
  std::uint64_t clocks_ = 0;  // the kernel counted in sweeps
};

}  // namespace chainmail
