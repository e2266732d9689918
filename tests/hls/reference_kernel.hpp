// docs/kernel.md once more in plain integers, straight from struct Topology: no pipeline, no
// bubbles, no generated header, nothing shared with hls/. The kernel must equal it in every bit.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace reference {

struct Burst {
  std::vector<std::uint64_t> tables, parameters, spins;  // as in the kernel's buffers
  std::uint32_t replicas = 0, sweeps = 0;
  std::uint64_t seed = 0;
};

struct Outcome {
  std::vector<std::uint64_t> spins, best, results;
  bool operator==(const Outcome&) const = default;
};

Outcome run(const chainmail::Topology& topology, const Burst& burst);

// The next `count` words of every stream after seeding, by p-bit.
std::vector<std::vector<std::uint32_t>> words(const chainmail::Topology& topology,
                                              std::uint64_t seed, std::size_t count);

std::int64_t threshold(std::uint32_t word);  // T with its sign, in units of ln 2 / 256; ~T when < 0

}  // namespace reference
