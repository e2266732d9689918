// How many sweeps the user requested, explicitly or by a time limit.
#pragma once

#include <cstdint>
#include <optional>

#include "run/plan.hpp"

namespace chainmail {

inline constexpr std::uint64_t kEndless = 1'000'000'000'000'000;  // more than any run reaches

// A time limit alone ends a run of one trial; but a checkpointed run has its own length, or it
// could not be resumed with another limit. Nothing: the length is chosen.
inline std::optional<std::uint64_t> sweeps_asked_for(const PlanOptions& options) {
  if (options.sweeps) return options.sweeps;
  const bool endless =
      options.time_limit > 0.0 && options.trials.value_or(1) == 1 && options.checkpoint.empty();
  return endless ? std::optional(kEndless) : std::nullopt;
}

}  // namespace chainmail
