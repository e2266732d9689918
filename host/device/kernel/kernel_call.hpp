// Running one kernel call and reading what it left: the status block and the results.
#pragma once

#include <optional>

#include "device/kernel/kernel_port.hpp"

namespace chainmail {

// Half word `index` of a buffer, as the contract counts them.
std::uint32_t half(std::span<const std::uint64_t> words, std::size_t index);

// Throws DeviceError, with the kernel's code in words, unless the call ended well.
void check_status(const KernelPort& port, std::span<const std::uint64_t> status);
void run_call(KernelPort& port, std::size_t lane, const KernelCall& call);

// Waits for a call in flight whose buffers are about to be freed.
void abandon_call(KernelPort& port, std::size_t lane) noexcept;

// What the kernel reports of a replica, in its own units.
struct ReplicaResult {
  std::int32_t f;
  std::optional<std::int32_t> best_f;  // lowest with whole chains
  std::uint32_t g;
};
ReplicaResult replica_result(std::span<const std::uint64_t> results, std::size_t replica);

}  // namespace chainmail
