// Reads a state to start from (--initial): a result of ours, or plain text that a script wrote.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

// A file whose first character is '{' is a JSON result, whose "solution" is taken. Any other is
// text: +1/-1 or 0/1 (0 is spin -1) between white space, '#' to the end of a line is a comment.
// Throws InputError with file, line and what was expected unless there are exactly `spins` values.
std::vector<Spin> read_solution(const std::string& path, std::size_t spins);

}  // namespace chainmail
