// The answer in the user's terms, as a section of the HTML report: variables by name and in
// tables where names form a grid, further solutions, constraints with their values (what binds
// first), and a picture that fits the problem.
#pragma once

#include <string>

#include "report/grouping.hpp"
#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

// Without the source there are no constraints and no picture to show.
std::string html_answer(const Result& result, const Source* source, const Grouping& how);

}  // namespace chainmail
