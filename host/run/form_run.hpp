// Constrained models with constraints as they are written, no slack and no squares: on the CPU and
// on row kernels.
#pragma once

#include "run/plan.hpp"

namespace chainmail {

// Whether this run goes that way: a model with constraints, on the CPU or a row kernel, and nothing
// asked for that belongs to f + P g in spins (copies, another method, a ladder for it, its
// arithmetic).
bool wants_forms(const Source& source, const PlanOptions& options, const Device& device);

FormSolveOptions form_options(const Source& source, const PlanOptions& options,
                              const Device& device);

// The ladder such a plan would run on, for moves in detailed balance: given, or found by anneals.
// Throws TuningStopped.
Ladder ladder_of_forms(const Plan& plan, const std::atomic<bool>& stop,
                       const PilotObserver& observer);

Result run_forms(const Plan& plan, Device& device, const std::atomic<bool>& stop,
                 const SolveObserver& observer);

}  // namespace chainmail
