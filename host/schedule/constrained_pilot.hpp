// Builds the ladder of a problem with constraints of the user's: multipliers for the residuals,
// then inverse temperatures, then penalties, all in the problem's own units by measurement alone.
#pragma once

#include "embedding/embedding.hpp"
#include "schedule/pilot.hpp"

namespace chainmail {

Schedule run_constrained_pilot(const Embedding& embedding, Device& device,
                               const PilotOptions& options, const PilotObserver& observer = {});

// f plus the multiples of residuals that a schedule asks for: the same f on every feasible state.
Embedding with_multipliers(Embedding embedding, const std::vector<double>& multipliers);

}  // namespace chainmail
