// Answers as files: writes them (--solution), and reads a state to start from or to check, from a
// JSON result or plain text that a script wrote.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solve/result.hpp"

namespace chainmail {

// A file whose first character is '{' is a JSON result, whose "solution" is taken. Any other is
// text: +1/-1 or 0/1 (0 is spin -1) between white space, '#' to the end of a line is a comment.
// Throws InputError with file, line and what was expected unless there are exactly `spins` values.
std::vector<Spin> read_solution(const std::string& path, std::size_t spins);

// The answer for --solution: of a model a line "name value" for each variable, for a file *.sol as
// MIPLIB has it; of a problem one value a line in the file's order, 0 and 1 or -1 and 1 as the
// problem has them.
std::string to_solution(const Result& result, const std::string& path);

}  // namespace chainmail
