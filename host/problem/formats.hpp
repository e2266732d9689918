// The readers behind files.hpp, one per format and file. Each gives a problem whose parts are in
// range; parse_problem() validates the whole.
#pragma once

#include <string>
#include <string_view>

#include "problem/problem.hpp"
#include "support/error.hpp"

namespace chainmail {

// Terms of three and more spins are not a Problem's: the file is a model's (model/read_terms.cpp).
struct HigherDegree : InputError {
  using InputError::InputError;
};

enum class Higher { refused, skipped };
Problem read_json(std::string_view text, const std::string& path, Higher terms);
inline Problem read_json(std::string_view text, const std::string& path) {
  return read_json(text, path, Higher::refused);
}
Problem read_coo(std::string_view text, const std::string& path);
// Whether a COO file says what its numbers mean, by a `#:` line or by dimod's header.
bool coo_names_convention(std::string_view text);
Problem read_chook(std::string_view text, const std::string& path);
Problem read_rudy(std::string_view text, const std::string& path);
Problem read_qubo(std::string_view text, const std::string& path);
Problem read_qs(std::string_view text, const std::string& path);
Problem read_csv(std::string_view text, const std::string& path);
Problem read_matrix(std::string_view text, const std::string& path);
Problem read_npy(std::string_view data, const std::string& path);

}  // namespace chainmail
