#pragma once

#include "check/model.hpp"

namespace chainmail::checker {

Model read_lp(std::string_view text, const std::string& path);
Model read_mps(std::string_view text, const std::string& path);
Model read_qplib(std::string_view text, const std::string& path);
Model read_qkp(std::string_view text, const std::string& path);
Model read_cnf(std::string_view text, const std::string& path);
Model read_wcnf(std::string_view text, const std::string& path);
Model read_terms(std::string_view text, const std::string& path);           // spins of any degree
Model read_pseudo_boolean(std::string_view text, const std::string& path);  // opb, wbo
Model read_flatzinc(std::string_view text, const std::string& path);
Model read_tour(std::string_view text, const std::string& path);
Model read_coloring(std::string_view text, const std::string& path, std::size_t colors);

}  // namespace chainmail::checker
