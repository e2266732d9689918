// The graph an array is wired for where that is not a complete one: a periodic lattice, or a list
// of edges that a file holds. The file's first line has the numbers of spins and edges, every other
// line an edge: two spins, counted from 0, the smaller first, in ascending order.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace chainmail {

struct Edge {
  std::uint32_t i, j;                             // i < j
  auto operator<=>(const Edge&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

struct WiredGraph {
  std::size_t spins = 0;
  std::vector<Edge> edges;  // ascending, each once
};

// Spin x + A (y + B z) next to those a step away along each side, around the end too; a side of 2
// has one edge between its ends, a side of 0 is not there.
using LatticeSides = std::array<std::size_t, 3>;
std::vector<Edge> lattice_edges(const LatticeSides& sides);

WiredGraph graph_of(const Problem& problem);  // its couplings, of f and of g

WiredGraph parse_graph(const std::string& text, const std::string& file);
std::string graph_text(const WiredGraph& graph);

// Eight hexadecimal digits that tell one graph of so many spins from another: part of its name.
std::string graph_mark(const WiredGraph& graph);

}  // namespace chainmail
