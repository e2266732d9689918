#include "ladder/choose.hpp"

#include "ladder/constrained.hpp"
#include "ladder/rigid.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

// Whether g holds the links of chains and nothing else.
bool only_chains(const PhysicalModel& model) {
  std::size_t links = 0;
  for (const auto& chain : model.chains) links += chain.size() - 1;
  const Quadratic& g = model.g;
  return links > 0 && g.couplings.size() == links && g.offset == static_cast<double>(links);
}

}  // namespace

LadderKind ladder_kind_from_name(const std::string& name) {
  if (name == "paper") return LadderKind::paper;
  if (name == "window") return LadderKind::window;
  if (name == "rigid") return LadderKind::rigid;
  if (name == "geometric") return LadderKind::geometric;
  throw UsageError("unknown ladder '" + name + "'; expected paper, window, rigid or geometric");
}

Ladder choose_ladder(const Embedding& embedding, Device& device, const LadderOptions& options,
                     const std::atomic<bool>& stop, const PilotObserver& observer) {
  if (options.kind == LadderKind::annealed) {
    return annealed_ladder(embedding.model, device, options.annealed, observer);
  }
  if (options.kind == LadderKind::constrained) {
    return run_constrained_pilot(embedding, device, options.pilot, observer);
  }
  if (options.kind == LadderKind::geometric) {
    if (!embedding.model.g.is_zero()) {
      throw UsageError("--ladder geometric is for problems without copies and constraints");
    }
    return geometric_ladder(embedding.model, options.geometric);
  }
  const LadderKind kind = only_chains(embedding.model) ? options.kind : LadderKind::paper;
  const bool unconstrained = embedding.model.g.is_zero();
  if (kind == LadderKind::window) {
    return find_window(embedding, device, options.window, stop, observer);
  }
  PilotOptions wanted =
      kind == LadderKind::rigid ? rigid_pilot(embedding.model, options.pilot) : options.pilot;
  if (unconstrained && options.kind != LadderKind::paper) wanted.drop_hot_rows = true;
  const Ladder pilot = run_pilot(embedding.model, device, wanted, observer);
  Ladder ladder = rehearse(embedding, pilot, device, options.rehearsal, stop, [&](double fraction) {
    if (observer) observer(fraction, "rehearsal");
  });
  if (kind == LadderKind::rigid) return rigid_columns(ladder, options.rigid_columns);
  return ladder;
}

}  // namespace chainmail
