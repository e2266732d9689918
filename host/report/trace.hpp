// The progress of a run as CSV, for a spreadsheet or a plotting script.
#pragma once

#include <string>

#include "solve/result.hpp"

namespace chainmail {

// Columns sweep, energy, g, best; numbers read back to the same double; an empty field means
// "none yet" (best) or "not a number".
std::string to_csv(const Result& result);

}  // namespace chainmail
