// Calls a native kernel as a driver would and returns its buffers; makes random bursts.
#pragma once

#include <string>
#include <vector>

#include "device/kernel/native_kernel.hpp"
#include "reference_kernel.hpp"
#include "topology/contract.hpp"
#include "topology/topology.hpp"

namespace reference {

// A burst on its own: everything is loaded before it and stored after it.
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

}  // namespace reference

namespace hls_bench {

// The model of a topology, from the header that is generated for it.
reference::Kernel model_of(const chainmail::Topology& topology);

class Bench {
 public:
  static constexpr std::uint64_t kUntouched = 0xa5a5a5a5a5a5a5a5;

  explicit Bench(const std::string& name);

  // Loads everything, runs the burst at this place of the ring, stores everything.
  reference::Outcome run(const reference::Burst& burst, std::uint32_t first = 0);
  // The same with given flags; fails the test unless the kernel returns 0.
  reference::Outcome call(const reference::Burst& burst, std::uint32_t first, std::uint32_t flags);
  reference::Outcome call_unchecked(const reference::Burst& burst, std::uint32_t first,
                                    std::uint32_t flags);

  std::uint32_t code() const { return status_word(chainmail::contract::kWordCode); }
  std::uint32_t status_word(std::uint32_t index) const {
    return static_cast<std::uint32_t>(status_[index / 2] >> 32 * (index % 2));
  }
  const std::vector<std::uint64_t>& last_spins() const { return spins_; }

  const chainmail::Topology topology;

 private:
  const chainmail::NativeKernel& kernel_;
  std::vector<std::uint64_t> spins_;
  std::uint64_t status_[8] = {};
};

// Couplings that use the whole width of the tables, random fields where they may be, some clamps,
// parameters from hot to cold, penalties from none to hard, random spins.
reference::Burst random_burst(const chainmail::Topology& topology, std::uint32_t replicas,
                              std::uint32_t sweeps, std::uint64_t seed);

}  // namespace hls_bench
