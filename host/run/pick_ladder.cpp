#include <algorithm>
#include <cmath>
#include <filesystem>

#include "ladder/ladder_file.hpp"
#include "run/as_written.hpp"
#include "run/flight.hpp"
#include "run/plan_parts.hpp"
#include "support/atomic_file.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

// Lattices of up to this many spins run several ladders side by side.
constexpr std::size_t kSmallLattice = 2000, kLatticeLadders = 4;

// Replicas of a grid that keep a kernel busy: on a card, next to the grids in transit.
std::size_t replicas_for(const PlanOptions& options, const Device& device) {
  const std::size_t ring = device.topology()->options.max_replicas;
  const BurstCosts* costs = device.costs();
  if (costs == nullptr) return ring;
  return replicas_in_flight(*costs, ring, options.sweeps_per_swap.value_or(kPaper.sweeps_per_swap));
}

LadderOptions ladder_options(const Source& source, const PlanOptions& options,
                             const Embedding& embedding, const Device& device,
                             const TuningWatch& watch) {
  LadderOptions wanted;
  wanted.kind = kind_for(source, options, embedding);
  wanted.pilot = options.pilot;
  if (options.rows > 0) {
    wanted.pilot.max_rows = wanted.rehearsal.max_rows = wanted.window.max_rows = options.rows;
    wanted.geometric.rows = options.rows;
  }
  if (options.columns > 0) {
    wanted.pilot.max_columns = wanted.rehearsal.max_columns = options.columns;
    wanted.window.columns = wanted.rigid_columns = options.columns;
  } else if (device.topology() != nullptr) {
    wanted.window.max_replicas = replicas_for(options, device);
  }
  wanted.pilot.seed = wanted.rehearsal.seed = wanted.window.seed = options.seed;
  wanted.window.beta0 = options.pilot.beta0;
  wanted.window.penalty0 = options.pilot.penalty0;
  wanted.rehearsal.sweeps = options.rehearsal_sweeps;
  wanted.pilot.watch = wanted.rehearsal.watch = wanted.window.watch = watch;
  wanted.geometric.beta0 = options.pilot.beta0;
  if (without_ladder(options, embedding, device)) wanted.geometric.rows = 1;
  if (device.topology() != nullptr) {
    wanted.geometric.rows =
        std::min<std::size_t>(wanted.geometric.rows, device.topology()->options.max_replicas);
  }
  if (wanted.kind == LadderKind::annealed) {
    AnnealedOptions& annealed = wanted.annealed;
    annealed.seed = options.seed;
    annealed.moves = search_moves(options, embedding);
    annealed.start = options.initial;
    if (options.rows > 0) annealed.most_rows = options.rows;
    if (options.columns > 0) annealed.columns = options.columns;
    if (device.topology() != nullptr) {
      const std::size_t most = device.topology()->options.max_replicas;
      annealed.columns = std::clamp<std::size_t>(annealed.columns, 1, most);
      annealed.most_rows = std::clamp<std::size_t>(annealed.most_rows, 1, most / annealed.columns);
    }
    annealed.watch = watch;
  }
  return wanted;
}

// Ladders side by side of a run by rule. One finds soonest, but on a small lattice of three
// dimensions, where it gets stuck for long; tables do four in the time of two and a half. A card
// that is wired for the problem sweeps a replica every clock: one ladder would leave it waiting for
// the host.
std::size_t ladders_for(const PlanOptions& options, const Embedding& embedding,
                        const Device& device, std::size_t rows) {
  if (options.columns > 0) return options.columns;
  if (device.costs() != nullptr && device.topology()->options.wired()) {
    return std::max<std::size_t>(1, replicas_for(options, device) / rows);
  }
  const std::vector<Coupling>& couplings = embedding.model.f.couplings;
  if (device.topology() != nullptr || embedding.pbits() > kSmallLattice || couplings.empty()) {
    return 1;
  }
  const double size = std::abs(couplings.front().value);
  const bool one_size = std::all_of(couplings.begin(), couplings.end(),
                                    [&](const Coupling& c) { return std::abs(c.value) == size; });
  return one_size && embedding.dimension >= kFlat ? kLatticeLadders : 1;
}

// Pilots run on the CPU, whatever the run itself is on; anneals on the run's own CPUs.
Ladder found_ladder(const Source& source, const PlanOptions& options, const Embedding& embedding,
                    Device& device, const std::atomic<bool>& stop, const PilotObserver& observer,
                    const TuningWatch& watch) {
  watch.after_burst();  // time may be up before anything has begun
  const LadderOptions wanted = ladder_options(source, options, embedding, device, watch);
  if (wanted.kind == LadderKind::annealed && device.topology() == nullptr) {
    return choose_ladder(embedding, device, wanted, stop, observer);
  }
  const auto cpu = make_device(
      {"cpu", options.device.threads, precision_for(source, options), options.device.moves});
  Ladder ladder = choose_ladder(embedding, *cpu, wanted, stop, observer);
  if (wanted.kind != LadderKind::geometric) return ladder;
  return ladder.with_columns(std::vector<double>(
      ladders_for(options, embedding, device, ladder.rows()), ladder.penalty.front()));
}

std::string saved_ladder(const PlanOptions& options) {
  return options.checkpoint + ".schedule";
}

}  // namespace

bool resumes(const PlanOptions& options) {
  return !options.checkpoint.empty() && std::filesystem::exists(options.checkpoint) &&
         std::filesystem::exists(saved_ladder(options));
}

LadderKind kind_for(const Source& source, const PlanOptions& options, const Embedding& embedding) {
  if (embedding.model.forms) return LadderKind::annealed;
  const bool constrained = source.model && source.problem().constraint && !options.plain_penalty;
  if (constrained) return LadderKind::constrained;
  if (options.ladder) return *options.ladder;
  if (options.literal) return LadderKind::paper;
  if (embedding.model.g.is_zero()) return LadderKind::geometric;
  return options.device.moves == "chain" ? LadderKind::rigid : LadderKind::window;
}

FormMoves search_moves(const PlanOptions& options, const Embedding& embedding) {
  if (options.balanced || !embedding.model.forms) return {};
  return moves_for(*embedding.model.forms);
}

// A resumed run reads its ladder from next to the checkpoint: tuning again would only cost time.
Ladder ladder_for(const Source& source, const PlanOptions& options, const Embedding& embedding,
                  Device& device, const std::atomic<bool>& stop, const PilotObserver& observer,
                  const TuningWatch& watch) {
  if (options.given_ladder) return *options.given_ladder;
  const std::string saved = saved_ladder(options);
  if (resumes(options)) return read_ladder(saved);
  Ladder ladder = found_ladder(source, options, embedding, device, stop, observer, watch);
  if (!options.checkpoint.empty()) write_file(saved, ladder_to_json(ladder));
  return ladder;
}

// A placeholder for a ladder that was not found in time: the run on it ends with its first burst.
Ladder makeshift_ladder(const Embedding& embedding) {
  const Units units = embedding.model.forms ? Units{energy_unit(*embedding.model.forms), 1.0}
                                            : units_of(embedding.model);
  Ladder ladder;
  ladder.beta = {1.0 / units.f, 3.0 / units.f};
  const bool constrained = embedding.model.forms || !embedding.model.g.is_zero();
  ladder.penalty = {constrained ? 3.0 * units.f / units.g : 0.0};
  return ladder;
}

}  // namespace chainmail
