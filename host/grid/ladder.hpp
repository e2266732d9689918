// The ladder of a run: inverse temperatures (rows), penalties (columns), and what the pilot
// measured while it built them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

struct Ladder {
  std::vector<double> beta;     // ascending; rows
  std::vector<double> penalty;  // ascending; columns
  // The answer replica's own, where it is colder than its row; 0: it is not. A whole cold row would
  // hold replicas back; one cell quenches what reaches it.
  double answer_beta = 0.0;
  // One for each residual of the model, added to f (constrained.hpp); empty: none.
  std::vector<double> multipliers;
  // Pilot measurements by [row][column]; empty when the ladder was given by hand.
  std::vector<std::vector<double>> mean_f, sigma_f, mean_g, sigma_g;
  std::vector<std::string> notes;         // what the pilot had to adjust, in words for the user
  std::uint64_t replica_sweeps = 0;       // spent on finding it: sweeps, summed over replicas
  std::vector<std::vector<Spin>> starts;  // where the anneals that found it ended; or none

  // The same ladder on other rows or columns; what a pilot measured on the old ones is dropped.
  // Everything else is kept, including members added later: always use this to derive one ladder
  // from another.
  Ladder with_rows(std::vector<double> rows) const;
  Ladder with_columns(std::vector<double> penalties) const;

  std::size_t rows() const { return beta.size(); }
  std::size_t columns() const { return penalty.size(); }
  bool operator==(const Ladder&) const = default;
};

}  // namespace chainmail
