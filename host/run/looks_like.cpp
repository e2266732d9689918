#include "run/looks_like.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace chainmail {

namespace {

constexpr std::size_t kLines = 40;  // a file says what it is at its beginning

struct Lines {
  std::vector<std::string> all;  // without blank ones, in lower case

  explicit Lines(std::string_view text) {
    for (std::size_t at = 0; at < text.size() && all.size() < kLines;) {
      const std::string_view line = text.substr(at, text.find('\n', at) - at);
      at += line.size() + 1;
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) continue;
      std::string word(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
      std::transform(word.begin(), word.end(), word.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      all.push_back(std::move(word));
    }
  }
  bool any_starts(std::string_view with) const {
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& line) { return line.starts_with(with); });
  }
};

bool is_edge_list(const Lines& lines) {
  return !lines.all.empty() &&
         std::all_of(lines.all.begin(), lines.all.end(), [](const auto& line) {
           const auto commas = std::count(line.begin(), line.end(), ',');
           return commas == 1 || commas == 2;
         });
}

}  // namespace

std::string looks_like(std::string_view text) {
  if (text.starts_with("DIMOD")) {
    return "it is a file of dimod: read it there, and sample with chainmail.dimod in Python";
  }
  const Lines lines(text);
  if (lines.any_starts("p cnf")) return "it looks like clauses: --format cnf";
  if (lines.any_starts("p wcnf")) return "it looks like weighted clauses: --format wcnf";
  if (lines.any_starts("h ")) return "it may be weighted clauses: --format wcnf";
  if (lines.any_starts("p edge") || lines.any_starts("p col")) {
    return "it looks like a graph to colour: --format col --colors K";
  }
  if (lines.any_starts("soft:")) return "it looks like weighted pseudo-Boolean: --format wbo";
  if (lines.any_starts("* #variable=") || lines.any_starts("min:") || lines.any_starts("max:")) {
    return "it looks like pseudo-Boolean: --format opb";
  }
  if (lines.any_starts("subject to") || lines.any_starts("minimize") ||
      lines.any_starts("maximize")) {
    return "it looks like a model in LP format: --format lp";
  }
  if (lines.any_starts("rows") && lines.any_starts("columns")) {
    return "it looks like MPS: --format mps";
  }
  if (lines.any_starts("edge_weight_type") || lines.any_starts("node_coord_section")) {
    return "it looks like a tour of TSPLIB: --format tsp";
  }
  if (lines.any_starts("var ") || lines.any_starts("array [") || lines.any_starts("array[")) {
    return "it looks like FlatZinc or MiniZinc: --format fzn, or minizinc --solver chainmail";
  }
  if (is_edge_list(lines)) {
    return "it looks like a list of edges: --format csv";
  }
  return "";
}

}  // namespace chainmail
