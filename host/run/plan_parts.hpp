// The questions of plan(), each answered in its own file: where does it run (place.cpp), on which
// ladder (pick_ladder.cpp), how and for how long (solve_options.cpp)?
#pragma once

#include "grid/watch.hpp"
#include "run/plan.hpp"
#include "support/counted.hpp"

namespace chainmail {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Lattices below this dimension exchange components; above it, and up to some size, there are
// several ladders side by side.
inline constexpr double kFlat = 2.4;
inline bool is_flat(double dimension) {
  return dimension > 0.0 && dimension < kFlat;
}

// Whether a run by rule does without a ladder: one that long never brings a replica from hot to
// cold, and a single replica is annealed as long as the run lasts.
bool without_ladder(const PlanOptions& options, const Embedding& embedding, const Device& device);

// Where it runs.
std::string precision_for(const Source& source, const PlanOptions& options);
Embedding embed_problem(const Device& device, const Source& source, const Problem& problem,
                        const PlanOptions& options);
bool may_reduce(const Source& source, const PlanOptions& options, const Device& device);

// What first (recovered.cpp): the constraints behind a QUBO's penalties, or nothing; and a search
// with them, on CPUs whatever the run is on.
std::shared_ptr<const FormModel> recovered_for(const Source& source, const PlanOptions& options,
                                               const Device& device, const Plan& plan);
void search_recovered(const std::shared_ptr<const FormModel>& model, const PlanOptions& options,
                      const std::vector<double>& enough, const TuningWatch& watch,
                      const std::atomic<bool>& stop, const PilotObserver& observer,
                      const Judge& judge, BestState& seen);

// On which ladder. Whether a run continues from a checkpoint, and reads its ladder from next to it.
bool resumes(const PlanOptions& options);
LadderKind kind_for(const Source& source, const PlanOptions& options, const Embedding& embedding);
FormMoves search_moves(const PlanOptions& options, const Embedding& embedding);
Ladder ladder_for(const Source& source, const PlanOptions& options, const Embedding& embedding,
                  Device& device, const std::atomic<bool>& stop, const PilotObserver& observer,
                  const TuningWatch& watch);
// A placeholder for a ladder that was not found in time: the run on it ends with its first burst.
Ladder makeshift_ladder(const Embedding& embedding);

// How, and for how long. Judges on the model itself: if constraints were rounded, g = 0 alone does
// not mean feasible.
Accepts accepts_of(const Source& source, const Plan& plan);
Method method_for(const Source& source, const PlanOptions& options, const Embedding& embedding);
// Where trials end that cannot improve further.
struct Goal {
  double energy;
  std::string name;
};
std::optional<Goal> goal_for(const Source& source, const PlanOptions& options, const Plan& plan);
// Feasible f at which the search for a ladder may already end: nothing better exists.
std::vector<double> ends_of(const Source& source, const PlanOptions& options, const Plan& plan);
SolveOptions solve_options(const Source& source, const PlanOptions& options, const Device& device,
                           const Plan& plan);
// On a card: enough trials to keep it busy, and fewer reads of spins, each of which is a launch.
void fill_card(const Source& source, const PlanOptions& options, const Device& device, Plan& plan);

}  // namespace chainmail
