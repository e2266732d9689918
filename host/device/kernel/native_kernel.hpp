// The HLS kernels compiled into this program, by topology: pbit_burst as a plain function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace chainmail {

// The kernel's arguments (docs/kernel.md). unsigned long long is the kernel's 64-bit word.
using KernelWord = unsigned long long;
using BurstFunction = void(const KernelWord* tables, const KernelWord* parameters,
                           KernelWord* spins, KernelWord* best, KernelWord* results,
                           KernelWord* status, unsigned first, unsigned replicas, unsigned sweeps,
                           unsigned flags, KernelWord seed);

struct NativeKernel {
  std::string topology;
  BurstFunction* burst;
  std::string edges;  // of an array wired for a graph: its file
};
const std::vector<NativeKernel>& native_kernels();  // written at build time by write_topology

// Throws UsageError that lists the available ones.
const NativeKernel& native_kernel(const std::string& topology);

// By name, with the edges of the graphs that this program has kernels for.
Topology known_topology(const std::string& name);

}  // namespace chainmail
