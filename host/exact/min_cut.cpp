#include "exact/min_cut.hpp"

#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>

namespace chainmail {

namespace {

using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;
using EdgeOf = boost::graph_traits<Graph>::edge_descriptor;

// Every edge as two arcs, each other's reverse, sorted by where they begin.
struct Arcs {
  explicit Arcs(std::uint32_t nodes) : start(nodes + 1, 0) {}

  std::vector<std::uint32_t> start;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<std::int64_t> capacity;
  std::vector<EdgeOf> reverse;
};

struct TwoWays {
  std::uint32_t a, b;
  std::int64_t there, back;
};

Arcs arcs_of(std::uint32_t nodes, const std::vector<TwoWays>& all) {
  Arcs arcs(nodes);
  for (const TwoWays& w : all) ++arcs.start[w.a + 1], ++arcs.start[w.b + 1];
  for (std::uint32_t i = 0; i < nodes; ++i) arcs.start[i + 1] += arcs.start[i];
  std::vector<std::uint32_t> next(arcs.start.begin(), arcs.start.end() - 1);
  arcs.ends.resize(2 * all.size());
  arcs.capacity.resize(arcs.ends.size());
  arcs.reverse.resize(arcs.ends.size());
  for (const TwoWays& w : all) {
    const std::uint32_t there = next[w.a]++, back = next[w.b]++;
    arcs.ends[there] = {w.a, w.b};
    arcs.ends[back] = {w.b, w.a};
    arcs.capacity[there] = w.there;
    arcs.capacity[back] = w.back;
    arcs.reverse[there] = EdgeOf(w.b, back);
    arcs.reverse[back] = EdgeOf(w.a, there);
  }
  return arcs;
}

}  // namespace

Cut min_cut(std::span<const std::int64_t> terminal, std::span<const CutEdge> edges) {
  const auto size = static_cast<std::uint32_t>(terminal.size());
  const std::uint32_t source = size, sink = size + 1, nodes = size + 2;
  std::vector<TwoWays> all;
  all.reserve(terminal.size() + edges.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    if (terminal[i] > 0) all.push_back({source, i, terminal[i], 0});
    if (terminal[i] < 0) all.push_back({i, sink, -terminal[i], 0});
  }
  for (const CutEdge& e : edges) all.push_back({e.a, e.b, e.capacity, e.capacity});
  Arcs arcs = arcs_of(nodes, all);
  const Graph graph(boost::edges_are_sorted, arcs.ends.begin(), arcs.ends.end(), nodes);
  std::vector<std::int64_t> residual(arcs.ends.size());
  std::vector<EdgeOf> before(nodes);
  std::vector<boost::default_color_type> colour(nodes);
  std::vector<std::int64_t> distance(nodes);
  const auto edge = boost::get(boost::edge_index, graph);
  const auto node = boost::get(boost::vertex_index, graph);
  Cut cut;
  cut.value = boost::boykov_kolmogorov_max_flow(
      graph, boost::make_iterator_property_map(arcs.capacity.begin(), edge),
      boost::make_iterator_property_map(residual.begin(), edge),
      boost::make_iterator_property_map(arcs.reverse.begin(), edge),
      boost::make_iterator_property_map(before.begin(), node),
      boost::make_iterator_property_map(colour.begin(), node),
      boost::make_iterator_property_map(distance.begin(), node), node, source, sink);
  cut.with_source.assign(nodes, 0);
  cut.with_source[source] = 1;
  std::vector<std::uint32_t> reached{source};
  while (!reached.empty()) {
    const std::uint32_t at = reached.back();
    reached.pop_back();
    for (std::uint32_t k = arcs.start[at]; k < arcs.start[at + 1]; ++k) {
      const std::uint32_t to = arcs.ends[k].second;
      if (residual[k] == 0 || cut.with_source[to] != 0) continue;
      cut.with_source[to] = 1;
      reached.push_back(to);
    }
  }
  cut.with_source.resize(size);
  return cut;
}

}  // namespace chainmail
