// A linear constraint in whole numbers, lower <= sum a_i x_i <= upper: exact where the
// coefficients are decimals of moderate size, rounded with a stated unit where they are not.
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

// Sums in whole numbers stay below this, so that squares are exact in double precision.
inline constexpr std::int64_t kExactRange = std::int64_t{1} << 24;

WholeRow make_whole(const ModelConstraint& constraint, const std::vector<WholeBounds>& bounds);

}  // namespace chainmail
