// A run in the lines that judges of competitions and minizinc read: `o`, `s` and `v` lines for
// pseudo-Boolean files and clauses, FlatZinc's stream of solutions. A verdict says no more than the
// run has proved.
#pragma once

#include <optional>
#include <string>

#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

class CompetitionLines {
 public:
  // Throws UsageError for files of no competition. The source must outlive this.
  explicit CompetitionLines(const Source& source);

  // For an answer as it is found; empty where it is not better or its format has no such line.
  std::string better(double objective);
  // The rest, once.
  std::string verdict(const Result& result);
  // As the competitions have it: 30 optimum, 10 satisfiable, 20 unsatisfiable, 0 unknown; minizinc
  // takes everything but 0 for a failure.
  int exit_code(const Result& result) const;

 private:
  enum class Dialect { pseudo_boolean, clauses, weighted_clauses, flatzinc };
  enum class Status { unknown = 0, satisfiable = 10, unsatisfiable = 20, optimum = 30 };

  Status status(const Result& result) const;
  std::string cost_line(const std::string& cost);

  const ConstrainedModel& model_;
  Dialect dialect_;
  bool decision_;               // whether there is a solution is all that is asked
  std::optional<double> best_;  // f that was told
  std::string last_cost_;       // that was printed
};

}  // namespace chainmail
