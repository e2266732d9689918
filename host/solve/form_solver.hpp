// The run on a form model: trials one after another, each an annealed start and a grid with swaps,
// until the last sweep, the target, a bound that nothing can pass, the time limit or a signal.
#pragma once

#include <atomic>

#include "solve/form_options.hpp"
#include "solve/result.hpp"
#include "solve/solver.hpp"

namespace chainmail {

// Solutions in the result are the bits of the form model as spins.
Result solve_forms(const FormModel& model, const FormSolveOptions& options,
                   const std::atomic<bool>& stop, const SolveObserver& observer = {});

}  // namespace chainmail
