// Whether a run begins with solving exactly, and what such a run leaves behind.
#pragma once

#include "run/plan.hpp"

namespace chainmail {

// By default: on the CPU, if no option is about the search itself (copies, a method, a ladder,
// sweeps, swaps, arithmetic, a checkpoint, statistics after the optimum). A model that presolve has
// settled needs no device.
bool wants_exact(const Source& source, const PlanOptions& options, const Device& device);
bool settled_by_presolve(const Source& source);

// What is left of a problem in spins that is not solved whole.
struct Remainder {
  bool looked = false;  // else nothing is known of it
  std::optional<Reduction> reduction;
};

// Nothing if the problem is too large for that; with --exact on that is an error.
std::optional<Result> run_exactly(const Source& source, const PlanOptions& options,
                                  const std::atomic<bool>& stop, Remainder* left = nullptr);

}  // namespace chainmail
