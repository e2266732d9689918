// A compiled problem as one function of bits, f + P g, for other solvers.
#pragma once

#include <string>

#include "model/compile.hpp"

namespace chainmail {

// Without constraints; to_lp() writes it. Names are the problem's own.
ConstrainedModel qubo_of(const Problem& problem, double penalty);
// As qbsolv reads it. Such a file holds no constant: it is in a comment.
std::string to_qbsolv(const ConstrainedModel& qubo);

// A penalty that is always enough: no gain in f makes up for the least violation.
double safe_penalty(const CompiledModel& compiled);

}  // namespace chainmail
