// How a driver reaches one pbit_burst kernel, wherever it runs: the native HLS function, an
// emulator, a board, a serial line. KernelDevice does everything above it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "topology/topology.hpp"

namespace chainmail {

// One call of the kernel on buffers in host memory (docs/kernel.md). Spans are empty if the flags
// do not need them. They must not change until finish().
struct KernelCall {
  std::span<const std::uint64_t> tables;
  std::span<const std::uint64_t> parameters;
  std::span<std::uint64_t> spins;
  std::span<std::uint64_t> best;
  std::span<std::uint64_t> results;
  std::span<std::uint64_t> status;  // always, 8 words
  std::uint32_t first = 0, replicas = 0, sweeps = 0, flags = 0;
  std::uint64_t seed = 0;
};

struct BurstCosts;

class KernelPort {
 public:
  virtual ~KernelPort() = default;
  virtual std::string describe() const = 0;
  virtual const Topology& topology() const = 0;
  virtual const BurstCosts* costs() const { return nullptr; }  // as Device's

  // Lanes are independent sequences of calls, one call of a lane in flight at a time; the port may
  // overlap those of different lanes. finish() throws DeviceError when the port itself failed.
  virtual void start(std::size_t lane, const KernelCall& call) = 0;
  virtual void finish(std::size_t lane) = 0;
};

}  // namespace chainmail
