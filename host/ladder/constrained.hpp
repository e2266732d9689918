// Builds the ladder of a problem with constraints of the user's: multipliers for the residuals,
// then inverse temperatures, then penalties, all in the problem's own units by measurement alone.
#pragma once

#include "embedding/embedding.hpp"
#include "ladder/pilot.hpp"

namespace chainmail {

Ladder run_constrained_pilot(const Embedding& embedding, Device& device,
                             const PilotOptions& options, const PilotObserver& observer = {});

}  // namespace chainmail
