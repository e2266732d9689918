// Problems from and to files: one reader per format behind one function. What each format means
// (signs, indices, what it can hold) is explained in docs/formats.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem/precision.hpp"
#include "support/error.hpp"

namespace chainmail {

enum class Format { detect, json, coo, chook, rudy, qubo, qs, csv, matrix, npy };
Format format_from_name(const std::string& name);  // UsageError lists the names
std::string name_of(Format format);
std::string format_names();  // "json, coo, chook, ...", for help and messages

// A file whose format is not recognised; the message lists those of problems.
struct UnknownFormat : InputError {
  using InputError::InputError;
};

// By the file's extension, else by its content; UnknownFormat when either could be meant.
Format detect_format(std::string_view text, const std::string& path);

// A whole, validated problem, or InputError "file:line: what was expected, what was found".
// Assumptions, in words for the user, are added to `notes`.
Problem read_problem(const std::string& path, Format format = Format::detect,
                     std::vector<std::string>* notes = nullptr, Written* written = nullptr);
Problem parse_problem(std::string_view text, const std::string& path_for_messages,
                      Format format = Format::detect, std::vector<std::string>* notes = nullptr);

// Everything a problem has; reading it back gives an equal problem.
std::string to_json(const Problem& problem);
// The same except for a constraint, which COO cannot hold: InputError.
std::string to_coo(const Problem& problem);

// Format::detect goes by the extension, or JSON if that is unknown.
void write_problem(const std::string& path, const Problem& problem, Format format = Format::detect);

}  // namespace chainmail
