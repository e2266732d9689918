// After a memory error a kernel may leave the status block unwritten: the block is blanked before
// every call, and a call that ends without one is a fault.
#include "device/xrt/xrt_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "support/error.hpp"

namespace chainmail {

namespace {

// Positions of the kernel's pointer arguments, in the contract's order.
enum Position : std::size_t { tables_at, parameters_at, spins_at, best_at, results_at, status_at };
constexpr std::size_t pointers = status_at + 1;

constexpr std::uint64_t smallest_buffer = 4096;
// Parts begin on a line of the processor's cache: a Kria's copies are flushes of whole lines.
constexpr std::size_t line = 64;

// The order of parts in a lane's buffer: inputs end with the status block (it is blanked), outputs
// begin with it, and spins, which go either way, come before both.
struct Part {
  Position position;
  std::span<std::uint64_t> words;  // empty: not in this call
  bool in, out;
  std::size_t offset = 0;
};

}  // namespace

XrtPort::XrtPort(std::shared_ptr<XrtSession> session, std::uint32_t unit, Topology topology,
                 std::string name, std::optional<BurstCosts> costs)
    : session_(std::move(session)),
      unit_(unit),
      topology_(std::move(topology)),
      name_(std::move(name)),
      costs_(costs) {}

std::string XrtPort::describe() const {
  return clocks_ == 0 ? name_ : fmt::format("{}, {} clocks so far", name_, clocks_);
}

std::uint32_t XrtPort::run_number(std::size_t lane) const {
  return unit_ << 16 | static_cast<std::uint32_t>(lane);
}

void XrtPort::make_room(XrtBuffer& buffer, std::size_t argument, std::size_t size) {
  const std::uint64_t wanted = std::max<std::uint64_t>(size, smallest_buffer);
  if (buffer.size < wanted)
    buffer = session_->allocate(unit_, static_cast<std::uint32_t>(argument), std::bit_ceil(wanted));
}

void XrtPort::start(std::size_t lane, const KernelCall& call) {
  const bool burst = (call.flags & (contract::kDescribe | contract::kNoBurst)) == 0;
  const bool load_spins = (call.flags & contract::kLoadSpins) != 0;
  const bool store_spins = (call.flags & contract::kStoreSpins) != 0;
  const bool store_best = (call.flags & contract::kStoreBest) != 0;
  const std::span parameters(const_cast<std::uint64_t*>(call.parameters.data()),
                             call.parameters.size());  // only read, like all that goes in
  std::array<Part, 5> parts = {{{spins_at, call.spins, load_spins, store_spins},
                                {parameters_at, parameters, burst, false},
                                {status_at, call.status, true, true},
                                {results_at, call.results, false, burst},
                                {best_at, call.best, false, store_best}}};
  std::memset(call.status.data(), 0, call.status.size_bytes());

  Lane& at = lanes_[lane];
  XrtLaunch launch;
  launch.run = run_number(lane);
  launch.unit = unit_;
  std::size_t size = 0;
  for (Part& part : parts) {
    if (!part.in && !part.out) continue;
    part.offset = size;
    size += (part.words.size_bytes() + line - 1) / line * line;
  }
  make_room(at.exchange, status_at, size);
  // A part that this call does not use is not read; its pointer must still be some address.
  std::array<XrtArgument, pointers> buffers;
  buffers.fill({at.exchange, 0, 0, 0});
  for (const Part& part : parts) buffers[part.position].offset = part.offset;
  if ((call.flags & contract::kLoadTables) != 0) {
    make_room(at.tables, tables_at, call.tables.size_bytes());
    launch.writes.push_back({at.tables, std::as_bytes(call.tables)});
  }
  if (at.tables.size > 0) buffers[tables_at] = {at.tables, 0, 0, 0};
  launch.arguments.assign(buffers.begin(), buffers.end());
  for (const std::uint32_t scalar : {call.first, call.replicas, call.sweeps, call.flags})
    launch.arguments.push_back({std::nullopt, scalar, 4});
  launch.arguments.push_back({std::nullopt, call.seed, 8});

  // Each direction copies from its first part to its last, with whatever is in between.
  const auto begin_of = [&](bool Part::*way) {
    return std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.*way; })->offset;
  };
  const std::size_t in = begin_of(&Part::in), out = begin_of(&Part::out);
  at.outgoing.assign(parts[2].offset + call.status.size_bytes() - in, std::byte{0});
  std::size_t end = 0;
  at.targets.clear();
  for (const Part& part : parts) {
    if (part.in)
      std::memcpy(at.outgoing.data() + part.offset - in, part.words.data(),
                  part.words.size_bytes());
    if (!part.out) continue;
    end = part.offset + part.words.size_bytes();
    if (part.position != status_at) at.targets.push_back({part.offset - out, part.words});
  }
  at.targets.push_back({parts[2].offset - out, call.status});
  launch.writes.push_back({at.exchange, at.outgoing, in});
  launch.reads.push_back({at.exchange, end - out, out});
  session_->start(launch);
}

void XrtPort::finish(std::size_t lane) {
  Lane& at = lanes_.at(lane);
  const std::vector<std::byte> bytes = session_->wait(run_number(lane));
  for (const Target& target : at.targets)
    std::memcpy(target.words.data(), bytes.data() + target.from, target.words.size_bytes());
  const std::span<const std::uint64_t> status = at.targets.back().words;
  const std::uint64_t first = status[contract::kWordMagic / 2];
  if (static_cast<std::uint32_t>(first) != contract::kMagic)
    throw DeviceError(fmt::format(
        "{}: the kernel ended without a status block: it could not reach its memory, or is "
        "not a Chainmail kernel",
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
