// The ladder of problems without copies and constraints: no pilot, rows at equal ratios between two
// multiples of the problem's own field. Where its cold end should be is found during the run
// (solve/cold_end.hpp).
#pragma once

#include "embedding/physical_model.hpp"
#include "grid/ladder.hpp"

namespace chainmail {

struct GeometricOptions {
  std::size_t rows = 32;
  double cold = 6.0;   // beta times the rms field of a p-bit
  double beta0 = 0.0;  // hottest row by hand; 0: hot_end() / field
};

Ladder geometric_ladder(const PhysicalModel& model, const GeometricOptions& options = {});

// Where rows begin, as beta times the rms field. Fields hold spins where couplings alone would let
// them turn, so with them the hot rows of a ladder without would only be noise.
double hot_end(const Quadratic& f);

// Rows at equal ratios from `hot` to `cold`.
std::vector<double> geometric_rows(double hot, double cold, std::size_t rows);

// The root of the mean over p-bits of h_i^2 + sum_j J_ij^2.
double rms_field(const Quadratic& f);

}  // namespace chainmail
