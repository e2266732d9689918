#include "solve/ladder.hpp"

#include "support/error.hpp"

namespace chainmail {

namespace {

// Whether g holds the links of chains and nothing else.
bool only_chains(const Model& model) {
  std::size_t links = 0;
  for (const auto& chain : model.chains) links += chain.size() - 1;
  const Quadratic& g = model.g;
  return links > 0 && g.couplings.size() == links && g.offset == static_cast<double>(links);
}

}  // namespace

LadderKind ladder_kind_from_name(const std::string& name) {
  if (name == "paper") return LadderKind::paper;
  if (name == "window") return LadderKind::window;
  throw UsageError("unknown ladder '" + name + "'; expected paper or window");
}

Schedule find_ladder(const Embedding& embedding, Device& device, const LadderOptions& options,
                     const std::atomic<bool>& stop, const PilotObserver& observer) {
  if (options.kind == LadderKind::window && only_chains(embedding.model)) {
    return find_window(embedding.model, device, options.pilot, options.window, observer);
  }
  const Schedule pilot = run_pilot(embedding.model, device, options.pilot, observer);
  return rehearse(embedding, pilot, device, options.rehearsal, stop, [&](double fraction) {
    if (observer) observer(fraction, "rehearsal");
  });
}

}  // namespace chainmail
