#include "device/kernel/kernel_call.hpp"

#include <fmt/format.h>

#include "support/error.hpp"
#include "topology/contract.hpp"

namespace chainmail {

namespace {

const char* meaning(std::uint32_t code) {
  switch (code) {
    case contract::kBadReplicas:
      return "replicas do not fit the ring";
    case contract::kBadFlags:
      return "unknown flag";
    case contract::kReadError:
      return "a memory read failed";
    case contract::kWriteError:
      return "a memory write failed";
    case contract::kBadPointer:
      return "a buffer is not aligned to 8 bytes";
    case contract::kBadImage:
      return "the row image is not of this topology";
    default:
      return "unknown code";
  }
}

}  // namespace

std::uint32_t half(std::span<const std::uint64_t> words, std::size_t index) {
  return static_cast<std::uint32_t>(words[index / 2] >> 32 * (index % 2));
}

void check_status(const KernelPort& port, std::span<const std::uint64_t> status) {
  const std::uint32_t code = half(status, contract::kWordCode);
  if (code != contract::kOk) {
    throw DeviceError(
        fmt::format("{}: burst ended with code {} ({})", port.describe(), code, meaning(code)));
  }
}

void run_call(KernelPort& port, std::size_t lane, const KernelCall& call) {
  port.start(lane, call);
  port.finish(lane);
  check_status(port, call.status);
}

void abandon_call(KernelPort& port, std::size_t lane) noexcept {
  try {
    port.finish(lane);
  } catch (const std::exception&) {
    // Nobody needs this burst any more; the next call will see the fault again.
    return;
  }
}

ReplicaResult replica_result(std::span<const std::uint64_t> results, std::size_t replica) {
  ReplicaResult result{static_cast<std::int32_t>(half(results, 4 * replica)), std::nullopt,
                       half(results, 4 * replica + 2)};
  const auto best = static_cast<std::int32_t>(half(results, 4 * replica + 1));
  if (best != contract::kNoBest) result.best_f = best;
  return result;
}

}  // namespace chainmail
