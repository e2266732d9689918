// The readers behind model_files.hpp, one per format and file. Each gives a model whose parts are
// in range; parse_model() validates the whole.
#pragma once

#include <string>
#include <string_view>

#include "model/model_files.hpp"

namespace chainmail {

ConstrainedModel read_lp(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_mps(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_qplib(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_col(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_qkp(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_opb(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_cnf(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_fzn(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_terms(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_tsp(std::string_view text, const std::string& path, const ModelOptions&);
ConstrainedModel read_wcnf(std::string_view text, const std::string& path, const ModelOptions&);

}  // namespace chainmail
