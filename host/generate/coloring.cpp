// Graphs whose chromatic number is known by proof or exhaustive search: Mycielski's construction,
// which adds a colour without adding a triangle, and the queens of an n x n chessboard.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "generate/kinds.hpp"
#include "generate/models.hpp"
#include "model/coloring.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

struct Graph {
  std::uint32_t vertices;
  std::vector<Edge> edges;
};

// Every vertex v gets a twin joined to v's neighbours; one new vertex is joined to all twins.
Graph mycielskian(const Graph& graph) {
  const std::uint32_t n = graph.vertices;
  Graph next{2 * n + 1, graph.edges};
  for (const auto& [u, v] : graph.edges) {
    next.edges.emplace_back(u, n + v);
    next.edges.emplace_back(v, n + u);
  }
  for (std::uint32_t v = 0; v < n; ++v) next.edges.emplace_back(n + v, 2 * n);
  return next;
}

Graph queens(std::uint32_t n) {
  Graph graph{n * n, {}};
  const auto row = [n](std::uint32_t v) { return static_cast<int>(v / n); };
  const auto column = [n](std::uint32_t v) { return static_cast<int>(v % n); };
  for (std::uint32_t u = 0; u < graph.vertices; ++u) {
    for (std::uint32_t v = u + 1; v < graph.vertices; ++v) {
      const int down = row(v) - row(u);
      const int across = column(v) - column(u);
      if (down == 0 || across == 0 || down == across || down == -across) {
        graph.edges.emplace_back(u, v);
      }
    }
  }
  return graph;
}

}  // namespace

ConstrainedModel make_coloring(const GenerateOptions& options) {
  const std::string kind = options.graph.value_or("queens");
  std::size_t n = 0, chromatic = 0;
  Graph graph;
  if (kind == "mycielski") {
    n = required_n(options, "coloring of a Mycielski graph", 2, 10);
    graph = {2, {{0, 1}}};
    for (std::size_t k = 1; k < n; ++k) graph = mycielskian(graph);  // myciel2 is the pentagon
    chromatic = n + 1;
  } else if (kind == "queens") {
    n = required_n(options, "coloring of queens", 2, 40);
    graph = queens(static_cast<std::uint32_t>(n));
    const std::map<std::size_t, std::size_t> known = {{4, 5}, {5, 5}, {6, 7},
                                                      {7, 7}, {8, 9}, {9, 10}};
    if (const auto found = known.find(n); found != known.end()) chromatic = found->second;
  } else {
    throw UsageError("--graph: expected mycielski or queens, not '" + kind + "'");
  }
  if (chromatic == 0 && !options.colors) {
    throw UsageError("coloring: the chromatic number of this graph is not known; give --colors");
  }
  const std::size_t colors = options.colors.value_or(chromatic);
  ConstrainedModel model = coloring_model(graph.vertices, graph.edges, colors);
  model.name = fmt::format("{} {} with {} colors", kind, n, colors);
  return model;
}

}  // namespace chainmail
