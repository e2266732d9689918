// The readers behind files.hpp, one per format and file. Each gives a problem whose parts are in
// range; parse_problem() validates the whole.
#pragma once

#include <string>
#include <string_view>

#include "problem/problem.hpp"

namespace chainmail {

Problem read_json(std::string_view text, const std::string& path);
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
