// Random calls of a kernel, and two kernels compared on them: the buffers of a call filled with
// everything the contract allows, garbage included where it says "ignored".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/kernel/kernel_port.hpp"
#include "support/random.hpp"

namespace chainmail::test {

struct Buffers {
  std::vector<std::uint64_t> tables, parameters, spins, best, results, status;
  std::uint32_t first = 0, replicas = 0, sweeps = 0, flags = 0;
  std::uint64_t seed = 0;
  KernelCall call();
};

// Tables, states, parameters and seed for R replicas; output buffers hold a pattern.
Buffers random_buffers(const Topology& topology, std::uint32_t replicas, std::uint32_t sweeps,
                       std::uint32_t flags, std::uint64_t seed);

void run(KernelPort& port, Buffers& buffers);

// Where two calls' outputs differ, in words; empty when they are equal in every bit. The status
// block's clock count is left out: only one of the kernels can count.
std::string difference(const Buffers& expected, const Buffers& actual);

}  // namespace chainmail::test
