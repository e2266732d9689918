// A compiled problem as one function of bits, f + P g, for other solvers.
#pragma once

#include "model/compile.hpp"

namespace chainmail {

// Without constraints; to_lp() writes it. Names are the problem's own.
ConstrainedModel qubo_of(const Problem& problem, double penalty);

// A penalty that is always enough: no gain in f makes up for the least violation.
double safe_penalty(const CompiledModel& compiled);

}  // namespace chainmail
