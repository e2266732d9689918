// Whether a kernel works where it runs: what a user with a new board runs first. Each check reports
// what it did in one line; none needs a file or knows more about the device than its topology.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "problem/problem.hpp"
#include "topology/topology.hpp"

namespace chainmail {

struct SelftestCheck {
  std::string name, finding;
  bool passed = false;
};

// Runs all checks, reporting each as it ends, and returns whether all passed. Throws UsageError for
// a device that is not a kernel.
bool run_selftest(Device& device, const std::function<void(const SelftestCheck&)>& tell);

// Random whole couplings and fields of the first spins, wherever the topology has a place for them.
Problem sample_problem(const Topology& topology, std::size_t spins, std::uint64_t seed);

// A digest of everything some short bursts report and leave: the same wherever a kernel of this
// topology runs. The answer is what the HLS kernel gave; none is stored for most topologies.
std::uint64_t selftest_digest(Device& device);
std::optional<std::uint64_t> known_answer(const std::string& topology);

}  // namespace chainmail
