#include "rtl_port.hpp"

#include <cstring>

#include "topology/contract.hpp"

namespace chainmail::sim {
namespace {

// Beyond 4 GiB and just below a page's end, so that 64-bit addresses and page crossings matter.
constexpr std::uint64_t kFirstBase = 0x12'3400'0fe8, kStride = 0x1000'0000;

std::uint32_t offset_of(const char* argument) {
  for (const auto& a : contract::kArguments)
    if (std::strcmp(a.name, argument) == 0) return a.offset;
  return 0;
}

}  // namespace

RtlPort::RtlPort(const std::string& topology)
    : topology_(topology_from_name(topology)), kernel_(topology) {}

std::string RtlPort::describe() const {
  return "rtl:" + topology_.name + ", Verilated RTL kernel";
}

std::uint64_t RtlPort::base(Buffer buffer) {
  return kFirstBase + kStride * buffer;
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
  kernel_.write_register(offset_of("first"), call.first);
  kernel_.write_register(offset_of("replicas"), call.replicas);
  kernel_.write_register(offset_of("sweeps"), call.sweeps);
  kernel_.write_register(offset_of("flags"), call.flags);
  kernel_.write_pointer(offset_of("seed"), call.seed);
}

void RtlPort::finish(std::size_t lane) {
  const KernelCall call = waiting_.at(lane);
  waiting_.erase(lane);
  AxiMemory& memory = kernel_.memory();
  const auto place = [&](Buffer buffer, auto words) {
    if (words.empty()) return;
    memory.allocate(base(buffer), words.size_bytes());
    std::memcpy(memory.at(base(buffer), words.size_bytes()).data(), words.data(),
                words.size_bytes());
  };
  const auto fetch = [&](Buffer buffer, std::span<std::uint64_t> words) {
    if (words.empty()) return;
    std::memcpy(words.data(), memory.at(base(buffer), words.size_bytes()).data(),
                words.size_bytes());
  };
  place(tables, call.tables);
  place(parameters, call.parameters);
  place(spins, call.spins);
  place(best, call.best);
  place(results, call.results);
  place(status, call.status);

  write_arguments(call);
  const std::uint64_t before = kernel_.clocks();
  kernel_.write_register(contract::kControl, 1);
  kernel_.run_until_done();
  call_clocks_ = kernel_.clocks() - before;
  const auto mirror = [&](unsigned word) {
    return std::uint64_t{kernel_.read_register(contract::kStatusMirror + 4 * word)};
  };
  sweep_clocks_ = mirror(contract::kWordClocksLow) | mirror(contract::kWordClocksHigh) << 32;

  fetch(spins, call.spins);
  fetch(best, call.best);
  fetch(results, call.results);
  fetch(status, call.status);
  for (const auto& [buffer, words] : {std::pair{tables, call.tables.size()},
                                      {parameters, call.parameters.size()},
                                      {spins, call.spins.size()},
                                      {best, call.best.size()},
                                      {results, call.results.size()},
                                      {status, call.status.size()}})
    if (words > 0) memory.release(base(buffer));
}

}  // namespace chainmail::sim
