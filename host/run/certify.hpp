// What a run says of the user's model is said by the model itself, exactly; and what it calls
// proved was followed step by step by the second reader (host/check) before.
#pragma once

#include <memory>

#include "check/proof.hpp"
#include "solve/result.hpp"

namespace chainmail {

class ModelSource;
struct CompiledForms;

// That no solution exists; throws nothing, and returns nothing where the proof does not hold.
std::shared_ptr<const checker::Proof> confirmed_impossible(const ModelSource& source,
                                                           const CompiledForms& forms);

// What was found by looking at every state: attaches the proof, and follows it where the states are
// few; false where it does not hold.
bool confirm_enumeration(Result& result, const ModelSource& source);

// Energies of a run on forms in the user's terms, and whether its best is proved to be optimal.
// States are spins of the form model's bits.
void judge_exactly(Result& result, const ModelSource& source);

}  // namespace chainmail
