// A problem as the user states it: minimise the objective f over spins, subject to g = 0.
// Everything later in the flow (embedding, schedule, device, report) reads from this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

// A state's quality in the user's terms: objective = scale * f + shift, e.g. the size of a cut.
struct UserObjective {
  static constexpr const char* kQubo = "qubo";  // of problems in 0 and 1
  std::string name = "energy";
  double scale = 1.0;
  double shift = 0.0;
  bool operator==(const UserObjective&) const = default;
};

struct Problem {
  std::string name;
  Quadratic objective;                  // f
  std::optional<Quadratic> constraint;  // g >= 0, zero exactly on the feasible states
  std::vector<std::string> names;       // of the variables; empty, or one per spin
  UserObjective user;
  std::optional<double> known_optimum;  // lowest feasible f, planted or enumerated
  std::vector<Spin> known_solution;     // a state that reaches it; may be empty
  // A state to compare an answer with that need not be optimal, e.g. the vector a transmitter sent
  // (noise can make another one likelier); may be empty. Separate from known_solution so that it is
  // never mistaken for an optimum.
  std::vector<Spin> reference_solution;

  std::size_t size() const { return objective.size(); }
  // Whether the user's variables are 0 and 1, which spins -1 and 1 stand for.
  bool bits() const { return user.name == UserObjective::kQubo; }
  bool operator==(const Problem&) const = default;
};

// g counts as zero below this: constraints with real coefficients leave rounding behind.
inline constexpr double kFeasible = 1e-6;

}  // namespace chainmail
