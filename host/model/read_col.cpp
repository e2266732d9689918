// Graphs in the DIMACS colouring format: `p edge N M`, then `e u v`. Collections list an edge once
// or in both directions and count it either way, so both are taken; any other count is an error.
#include <fmt/format.h>

#include <set>

#include "model/coloring.hpp"
#include "model/model_formats.hpp"
#include "problem/entries.hpp"
#include "problem/text_lines.hpp"
#include "support/counted.hpp"
#include "support/error.hpp"

namespace chainmail {

ConstrainedModel read_col(std::string_view text, const std::string& path,
                          const ModelOptions& options) {
  if (!options.colors || *options.colors < 1 || *options.colors > kMaxSpins) {
    throw UsageError(path + ": a graph needs the number of colours, --colors k");
  }
  TextLines lines(text, path);
  std::uint64_t vertices = 0, announced = 0, listed = 0;
  std::set<Edge> edges;
  while (lines.next()) {
    const auto& words = lines.words();
    if (words[0] == "c") continue;
    if (words[0] == "p") {
      if (vertices > 0) lines.fail_expected("one line 'p edge N M'");
      lines.expect_words(4, "'p edge N M'");
      if (words[1] != "edge" && words[1] != "edges" && words[1] != "col") {
        lines.fail_expected("'p edge N M'");
      }
      // A bit for each vertex and colour.
      vertices = lines.integer(2, 1, kMaxSpins / *options.colors, "the number of vertices");
      announced = lines.integer(3, 0, std::uint64_t{1} << 32, "the number of edges");
    } else if (words[0] == "e") {
      if (vertices == 0) lines.fail_expected("'p edge N M' before the first edge");
      lines.expect_words(3, "'e u v'");
      const auto u = static_cast<std::uint32_t>(lines.integer(1, 1, vertices, "a vertex") - 1);
      const auto v = static_cast<std::uint32_t>(lines.integer(2, 1, vertices, "a vertex") - 1);
      if (u == v) lines.fail_expected("an edge between two vertices");
      edges.insert({std::min(u, v), std::max(u, v)});
      ++listed;
    } else {
      lines.fail_expected("a line of kind c, p or e");
    }
  }
  if (vertices == 0) lines.fail("expected 'p edge N M', found none");
  if (announced != listed && announced != 2 * listed && announced != edges.size()) {
    lines.fail(fmt::format("expected {}, found {}", counted(announced, "edge"), listed));
  }
  return coloring_model(vertices, {edges.begin(), edges.end()}, *options.colors);
}

}  // namespace chainmail
