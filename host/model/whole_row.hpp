// A linear constraint in whole numbers, lower <= sum a_i x_i <= upper: exact where the
// coefficients are decimals of moderate size. An inequality with others is rounded on its safe
// side, with a stated unit; what rounding would falsify is refused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/bounds.hpp"
#include "model/constrained_model.hpp"

namespace chainmail {

struct WholeTerm {
  std::uint32_t variable;
  std::int64_t coefficient;
};

struct WholeRow {
  std::vector<WholeTerm> terms;
  std::int64_t least, most;   // of the sum, over the variables' bounds
  std::int64_t lower, upper;  // of the sum, where the constraint holds; both within least - 1 to
                              // most + 1, so that an empty or impossible range stays one
  double unit = 1.0;          // what 1 means in the user's numbers
  bool exact = true;          // the same solutions as the constraint as given
  std::string note;           // what was rounded, when not exact

  bool redundant() const { return lower <= least && upper >= most; }
  bool impossible() const { return lower > most || upper < least || lower > upper; }
};

// Sums in whole numbers span less than this. Halved for spins, their squares then hold quarters
// below 2^51, which double precision adds up exactly.
inline constexpr std::int64_t kExactRange = (std::int64_t{1} << 25) + (std::int64_t{1} << 20);

// Throws InputError, with numbers, for a sum that is too wide to be held exactly: of whole
// coefficients, in an equation or a range, or where rounding would lose a coefficient.
WholeRow make_whole(const ModelConstraint& constraint, const std::vector<WholeBounds>& bounds);

}  // namespace chainmail
