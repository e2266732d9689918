// Constrained models with constraints as written, no slack and no squares: on CPUs and on row
// kernels. What such a run needs; everything else is the same as for other problems.
#pragma once

#include "run/plan.hpp"

namespace chainmail {

// Whether this run goes that way: a model with constraints, on CPUs or a row kernel, and no option
// that belongs to f + P g in spins (copies, another method, a ladder for it, its arithmetic).
bool wants_forms(const Source& source, const PlanOptions& options, const Device& device);

// The model's forms, a p-bit for every bit.
Embedding embed_forms(const ModelSource& source);
// The user's words for them: names of bits, of the objective.
Problem words_of(const ModelSource& source);

// How often each kind of move is tried, in a search.
FormMoves moves_for(const FormModel& model);

// Sweeps of a run of default length, and when it may end before.
struct RunLength {
  std::uint64_t sweeps;
  Patience patience;
};
RunLength length_for(const CompiledForms& forms, const Ladder& ladder);

}  // namespace chainmail
