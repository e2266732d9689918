// What a run reports about the user's model is evaluated on the model itself, exactly; and what it
// calls proved was verified step by step by the checker (host/check).
#pragma once

#include <memory>
#include <optional>

#include "check/proof.hpp"
#include "solve/result.hpp"

namespace chainmail {

class ModelSource;
struct CompiledForms;
struct WholeBound;

// The model's file as the checker reads it; nothing if it came from none.
std::optional<checker::Model> read_again(const ModelSource& source);

// That no solution exists; does not throw, and returns nothing if the proof does not hold.
std::shared_ptr<const checker::Proof> confirmed_impossible(const ModelSource& source,
                                                           const CompiledForms& forms);

// What was found by visiting every state: attaches the proof, and verifies it if the states are
// few; false if it does not hold.
bool confirm_enumeration(Result& result, const ModelSource& source);

// That the answer is as good as a bound: attaches the proof if the checker can follow it.
bool confirm_bound(Result& result, const ModelSource& source, const WholeBound& bound);
// The same of a bound that was enumerated. Its search computed in doubles, so it may be wrong, too.
enum class Confirmed { yes, too_large, no };
Confirmed confirm_core(Result& result, const ModelSource& source, const WholeBound& bound);

// Energies of a run on forms in the user's terms, and whether its best is proved to be optimal.
// States are spins of the form model's bits.
void judge_exactly(Result& result, const ModelSource& source);

}  // namespace chainmail
