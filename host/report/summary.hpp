// What a run found, in a screenful of plain text for the terminal.
#pragma once

#include <string>

#include "solve/result.hpp"

namespace chainmail {

std::string to_summary(const Result& result);

}  // namespace chainmail
