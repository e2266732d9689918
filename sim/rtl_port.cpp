#include "rtl_port.hpp"

#include <algorithm>
#include <cstring>

#include "device/kernel/native_kernel.hpp"
#include "topology/contract.hpp"

namespace chainmail::sim {
namespace {

constexpr std::uint64_t kStride = 0x1000'0000;  // between buffers

}  // namespace

RtlPort::RtlPort(const std::string& topology, const std::string& core)
    : topology_(known_topology(topology)), kernel_(core) {}

std::string RtlPort::describe() const {
  return "rtl:" + topology_.name + ", Verilated RTL kernel";
}

std::uint64_t RtlPort::base(Buffer buffer) const {
  // A row image begins at a whole beat.
  const std::uint64_t skew = topology_.options.rows() && buffer == tables ? 8 : 0;
  return first_base_ - skew + kStride * buffer;
}

AxiMemory& RtlPort::memory_of(Buffer buffer) {
  return buffer == tables ? kernel_.image_memory() : kernel_.memory();
}

void RtlPort::start(std::size_t lane, const KernelCall& call) {
  waiting_[lane] = call;
}

void RtlPort::write_arguments(const KernelCall& call) {
  for (const auto& a : contract::kArguments) {
    if (!a.pointer) continue;
    const auto number = static_cast<Buffer>(&a - contract::kArguments.data());
    kernel_.write_pointer(a.offset, base(number));
  }
  kernel_.write_register(contract::offset_of("first"), call.first);
  kernel_.write_register(contract::offset_of("replicas"), call.replicas);
  kernel_.write_register(contract::offset_of("sweeps"), call.sweeps);
  kernel_.write_register(contract::offset_of("flags"), call.flags);
  kernel_.write_pointer(contract::offset_of("seed"), call.seed);
}

void RtlPort::prepare(const KernelCall& call) {
  place_buffers(call);
  write_arguments(call);
}

void RtlPort::start_prepared() {
  kernel_.write_register(contract::kControl, 1);
}

void RtlPort::collect(const KernelCall& call) {
  fetch_buffers(call);
  release_buffers(call);
}

void RtlPort::place_buffers(const KernelCall& call) {
  const auto place = [&](Buffer buffer, std::span<const std::uint64_t> words) {
    if (words.empty()) return;
    memory_of(buffer).allocate(base(buffer), words.size_bytes());
    std::memcpy(memory_of(buffer).at(base(buffer), words.size_bytes()).data(), words.data(),
                words.size_bytes());
  };
  place(tables, call.tables);
  place(parameters, call.parameters);
  place(spins, call.spins);
  place(best, call.best);
  place(results, call.results);
  place(status, call.status);
}

void RtlPort::fetch_buffers(const KernelCall& call) {
  const auto fetch = [&](Buffer buffer, std::span<std::uint64_t> words) {
    if (words.empty()) return;
    std::memcpy(words.data(), kernel_.memory().at(base(buffer), words.size_bytes()).data(),
                words.size_bytes());
  };
  fetch(spins, call.spins);
  fetch(best, call.best);
  fetch(results, call.results);
  fetch(status, call.status);
}

void RtlPort::release_buffers(const KernelCall& call) {
  const std::size_t sizes[] = {call.tables.size(), call.parameters.size(), call.spins.size(),
                               call.best.size(),   call.results.size(),    call.status.size()};
  for (unsigned buffer = tables; buffer <= status; ++buffer)
    if (sizes[buffer] > 0) {
      memory_of(static_cast<Buffer>(buffer)).release(base(static_cast<Buffer>(buffer)));
    }
}

void RtlPort::finish(std::size_t lane) {
  const KernelCall call = waiting_.at(lane);
  waiting_.erase(lane);
  prepare(call);
  start_prepared();
  const std::uint64_t before = kernel_.clocks();
  // Far beyond what any call needs, even on shared engines with a memory that stalls.
  const std::uint64_t slots = std::uint64_t{std::max(call.replicas, 64U)} *
                              std::max(call.sweeps, 1U) *
                              (topology_.options.dense() ? topology_.pbits() : 1);
  kernel_.run_until_done(2'000'000 + std::min<std::uint64_t>(100 * slots, 1'000'000'000));
  call_clocks_ = kernel_.clocks() - before;
  const auto mirror = [&](unsigned word) {
    return std::uint64_t{kernel_.read_register(contract::kStatusMirror + 4 * word)};
  };
  sweep_clocks_ = mirror(contract::kWordClocksLow) | mirror(contract::kWordClocksHigh) << 32;
  collect(call);
}

void RtlPort::interrupt_call(const KernelCall& call, std::uint64_t clocks) {
  prepare(call);
  start_prepared();
  kernel_.clock(clocks);
  kernel_.reset();
  release_buffers(call);
}

}  // namespace chainmail::sim
