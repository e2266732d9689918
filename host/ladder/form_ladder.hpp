// The ladder of a form model: anneals from the start find how large the penalty must be, and what
// they measure on the way gives the rows. Their ends are the first replicas and the first answers.
#pragma once

#include <functional>

#include "device/cpu/form_engine.hpp"
#include "ladder/form_options.hpp"
#include "ladder/ladder.hpp"

namespace chainmail {

struct FormStart {
  Ladder ladder;
  std::vector<std::vector<Bit>> ends;
  FormState best;
  std::uint64_t sweeps = 0;  // of each replica
};

// Called after every step of an anneal with what was found so far; false ends the search for a
// ladder, which is then short.
using FormStartObserver = std::function<bool(const FormState& best, std::uint64_t sweeps)>;

// The size of f's changes: rms over bits of what turning one may change f by.
double energy_unit(const FormModel& model);

FormStart find_form_ladder(const FormPlan& plan, Crew& crew, const FormLadderOptions& options,
                           const FormStartObserver& observer);

}  // namespace chainmail
