// The answer in the user's terms, as a section of the HTML report: variables by name, constraints
// with their values, further solutions, and a picture that fits the problem.
#pragma once

#include <string>

#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

// Without the source there are no constraints and no picture to show.
std::string html_answer(const Result& result, const Source* source);

}  // namespace chainmail
