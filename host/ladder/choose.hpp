// The ladder of a run, chosen here and nowhere else: the paper's (pilot and rehearsal), the useful
// window of it, one for rigid chains, one by rule, or one for the user's constraints, as written or
// as squares.
#pragma once

#include "ladder/annealed.hpp"
#include "ladder/geometric.hpp"
#include "ladder/pilot.hpp"
#include "ladder/rehearsal.hpp"
#include "ladder/window.hpp"

namespace chainmail {

// paper:  every row and column of the pilot, refined by a rehearsal.
// window: for chains of copies, only the columns and rows that pay; without copies the paper's rows
//         but for those that are hotter than need be; where there is a constraint of the user's,
//         the same as paper.
// rigid:  for chains that are resampled whole, the rows of the problem without copies.
// geometric: without copies and constraints, rows at equal ratios by the problem's field; no pilot.
// constrained: for models with residuals: multipliers, then rows and penalties by measurement.
// annealed: for models with forms: anneals, whose ends the run goes on from.
enum class LadderKind { paper, window, rigid, geometric, constrained, annealed };
LadderKind ladder_kind_from_name(const std::string& name);

struct LadderOptions {
  LadderKind kind = LadderKind::window;
  PilotOptions pilot = {};          // of the paper's ladder and the rigid one
  RehearsalOptions rehearsal = {};  // of the paper's ladder
  WindowOptions window = {};
  GeometricOptions geometric = {};
  AnnealedOptions annealed = {};
  std::size_t rigid_columns = 0;  // 0: as many as make about 240 replicas
};

Ladder choose_ladder(const Embedding& embedding, Device& device, const LadderOptions& options,
                     const std::atomic<bool>& stop, const PilotObserver& observer = {});

}  // namespace chainmail
