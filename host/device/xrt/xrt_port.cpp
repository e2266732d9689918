// A kernel that met a memory error does not count on memory, so it may leave the status block
// unwritten: the block is blanked before every call, and a call that ends without one is a fault.
#include "device/xrt/xrt_port.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "support/error.hpp"

namespace chainmail {

namespace {

// Positions of the kernel's arguments, in the contract's order.
enum Position : std::size_t { tables_at, parameters_at, spins_at, best_at, results_at, status_at };

constexpr std::uint64_t smallest_buffer = 4096;

std::span<const std::byte> bytes_of(std::span<const std::uint64_t> words) {
  return std::as_bytes(words);
}

}  // namespace

XrtPort::XrtPort(std::shared_ptr<XrtSession> session, std::uint32_t unit, Topology topology,
                 std::string name)
    : session_(std::move(session)),
      unit_(unit),
      topology_(std::move(topology)),
      name_(std::move(name)) {}

std::string XrtPort::describe() const {
  return clocks_ == 0 ? name_ : fmt::format("{}, {} clocks so far", name_, clocks_);
}

std::uint32_t XrtPort::run_number(std::size_t lane) const {
  return unit_ << 16 | static_cast<std::uint32_t>(lane);
}

void XrtPort::start(std::size_t lane, const KernelCall& call) {
  const std::array<std::span<const std::uint64_t>, 6> content = {
      call.tables, call.parameters, call.spins, call.best, call.results, call.status};
  const bool burst = (call.flags & (contract::kDescribe | contract::kNoBurst)) == 0;
  const std::array<bool, 6> written = {(call.flags & contract::kLoadTables) != 0,
                                       burst,
                                       (call.flags & contract::kLoadSpins) != 0,
                                       false,
                                       false,
                                       true};
  Lane& at = lanes_[lane];
  std::memset(call.status.data(), 0, call.status.size_bytes());

  XrtLaunch launch;
  launch.run = run_number(lane);
  launch.unit = unit_;
  for (std::size_t i = 0; i < content.size(); ++i) {
    XrtBuffer& buffer = at.buffers[i];
    if (buffer.size < std::max(content[i].size_bytes(), smallest_buffer))
      buffer =
          session_->allocate(unit_, static_cast<std::uint32_t>(i),
                             std::bit_ceil(std::max(content[i].size_bytes(), smallest_buffer)));
    launch.arguments.push_back({buffer, 0, 0});
    if (written[i]) launch.writes.push_back({buffer, bytes_of(content[i])});
  }
  for (const std::uint32_t scalar : {call.first, call.replicas, call.sweeps, call.flags})
    launch.arguments.push_back({std::nullopt, scalar, 4});
  launch.arguments.push_back({std::nullopt, call.seed, 8});

  at.targets.clear();
  const auto fetch = [&](Position position, std::span<std::uint64_t> target) {
    launch.reads.push_back({at.buffers[position], target.size_bytes()});
    at.targets.push_back(target);
  };
  if (burst) fetch(results_at, call.results);
  if ((call.flags & contract::kStoreSpins) != 0) fetch(spins_at, call.spins);
  if ((call.flags & contract::kStoreBest) != 0) fetch(best_at, call.best);
  fetch(status_at, call.status);
  session_->start(launch);
}

void XrtPort::finish(std::size_t lane) {
  Lane& at = lanes_.at(lane);
  const std::vector<std::byte> bytes = session_->wait(run_number(lane));
  std::size_t taken = 0;
  for (const std::span<std::uint64_t> target : at.targets) {
    std::memcpy(target.data(), bytes.data() + taken, target.size_bytes());
    taken += target.size_bytes();
  }
  const std::span<const std::uint64_t> status = at.targets.back();
  const std::uint64_t first = status[contract::kWordMagic / 2];
  if (static_cast<std::uint32_t>(first) != contract::kMagic)
    throw DeviceError(
        fmt::format("{}: the kernel ended without a status block: it could not reach "
                    "its memory, or is no kernel of ours",
                    name_));
  clocks_ += status[contract::kWordClocksLow / 2];
}

std::vector<std::uint64_t> describe_unit(const std::shared_ptr<XrtSession>& session,
                                         std::uint32_t unit, const std::string& name) {
  XrtPort port(session, unit, {}, name);
  std::vector<std::uint64_t> block(contract::kStatusWords / 2);
  KernelCall call;
  call.status = block;
  call.flags = contract::kDescribe;
  port.start(0, call);
  port.finish(0);
  return block;
}

}  // namespace chainmail
