// What every Problem must satisfy, checked wherever one enters or leaves the program.
#pragma once

#include <string>

#include "problem/problem.hpp"

namespace chainmail {

// Throws InputError "where: what is wrong" unless: there is a spin; couplings are sorted, in range,
// without repeats or zeros; no energy can overflow; names are printable UTF-8 and distinct; known
// and reference solutions fit the problem, and the known one is feasible and has the known optimum.
void validate(const Problem& problem, const std::string& where);

// Whether a text can be a name: not empty, UTF-8 without control characters or surrounding space,
// so that it survives in one line of any file.
bool is_label(const std::string& text);

}  // namespace chainmail
