#include "topology/wired_graph.hpp"

#include <algorithm>
#include <sstream>

#include "support/error.hpp"
#include "support/random.hpp"
#include "support/text.hpp"

namespace chainmail {

std::vector<Edge> lattice_edges(const LatticeSides& sides) {
  std::size_t spins = 1;
  for (const std::size_t side : sides) spins *= std::max<std::size_t>(side, 1);
  std::vector<Edge> edges;
  for (std::size_t spin = 0; spin < spins; ++spin) {
    std::size_t stride = 1;
    for (const std::size_t side : sides) {
      if (side == 0) continue;
      const std::size_t position = spin / stride % side;
      const bool wraps = position + 1 == side;
      if (!wraps || side > 2) {
        const std::size_t next = wraps ? spin - position * stride : spin + stride;
        edges.push_back({static_cast<std::uint32_t>(std::min(spin, next)),
                         static_cast<std::uint32_t>(std::max(spin, next))});
      }
      stride *= side;
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

WiredGraph graph_of(const Problem& problem) {
  WiredGraph graph{problem.size(), {}};
  const auto add = [&](const Quadratic& q) {
    for (const Coupling& c : q.couplings) graph.edges.push_back({c.i, c.j});
  };
  add(problem.objective);
  if (problem.constraint) add(*problem.constraint);
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
  return graph;
}

WiredGraph parse_graph(const std::string& text, const std::string& file) {
  std::istringstream lines(text);
  std::size_t number = 0;
  // The next line's two numbers.
  const auto pair = [&](const std::string& expected) {
    std::string line, more;
    ++number;
    std::getline(lines, line);
    std::istringstream words(line);
    std::array<std::uint32_t, 2> value{};
    const bool fine = line.find('-') == std::string::npos &&
                      static_cast<bool>(words >> value[0] >> value[1]) && !(words >> more);
    if (!fine) {
      throw InputError(joined(file, ":", number, ": expected ", expected, ", found '", line, "'"));
    }
    return value;
  };
  const auto [spins, count] = pair("the numbers of spins and edges");
  WiredGraph graph{spins, {}};
  for (std::uint32_t e = 0; e < count; ++e) {
    const std::string expected = joined("edge ", e + 1, " of ", count);
    const auto [i, j] = pair(expected);
    const Edge edge{i, j};
    if (i >= j || j >= spins || (e > 0 && edge <= graph.edges.back())) {
      throw InputError(joined(file, ":", number, ": expected ", expected,
                              " behind the one before, ", "two spins below ", spins,
                              ", the smaller first; found ", i, " ", j));
    }
    graph.edges.push_back(edge);
  }
  if (std::string rest; lines >> rest) {
    throw InputError(joined(file, ":", number + 1, ": expected the end after ", count,
                            " edges, found '", rest, "'"));
  }
  return graph;
}

std::string graph_text(const WiredGraph& graph) {
  std::string text = joined(graph.spins, " ", graph.edges.size(), "\n");
  for (const Edge& edge : graph.edges) text += joined(edge.i, " ", edge.j, "\n");
  return text;
}

std::string graph_mark(const WiredGraph& graph) {
  std::uint64_t hash = hash_of(graph.spins, {graph.edges.size()});
  for (const Edge& edge : graph.edges) hash = hash_of(hash, {edge.i, edge.j});
  const std::string digits = hex(hash >> 32);
  return std::string(8 - digits.size(), '0') + digits;
}

}  // namespace chainmail
