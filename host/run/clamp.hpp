// Variables held at given values (clamped): substituted before anything else happens, so a run on
// any device and a sample's distribution are those of the rest; answers show all variables.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

using Clamps = std::vector<std::pair<std::size_t, std::int64_t>>;  // variable, value

// "x=1,y[2,3]=0", by the names of variables or, of spins without names, by number.
Clamps clamps_from_text(const std::string& text, const Source& source);

// Throws UsageError naming a variable that cannot have its value.
Source clamped(const Source& source, const Clamps& clamps);

// Puts the spins that were held back into what a run found.
void lift_held(const Source& source, Result& result);

}  // namespace chainmail
