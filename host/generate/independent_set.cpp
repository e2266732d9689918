// A largest set of vertices of a random graph no two of which are joined. The model's name says
// what taking a vertex of least degree again and again finds.
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <set>

#include "generate/kinds.hpp"
#include "generate/models.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::size_t least_degree_first(const std::vector<std::vector<std::uint32_t>>& neighbours) {
  using Entry = std::pair<std::size_t, std::uint32_t>;  // degree, vertex
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<std::size_t> degree;
  for (std::uint32_t v = 0; v < neighbours.size(); ++v) {
    degree.push_back(neighbours[v].size());
    queue.emplace(degree[v], v);
  }
  std::vector<char> gone(neighbours.size(), 0);
  std::size_t taken = 0;
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (gone[v] != 0 || d != degree[v]) continue;
    ++taken;
    gone[v] = 1;
    for (std::uint32_t w : neighbours[v]) {
      if (gone[w] != 0) continue;
      gone[w] = 1;
      for (std::uint32_t u : neighbours[w]) {
        if (gone[u] == 0) queue.emplace(--degree[u], u);
      }
    }
  }
  return taken;
}

}  // namespace

ConstrainedModel make_independent_set(const GenerateOptions& options) {
  const std::size_t n = required_n(options, "independent-set", 2, 1000000);
  const std::size_t degree = options.degree.value_or(std::min<std::size_t>(4, (n - 1) / 2));
  const std::size_t edges = n * degree / 2;
  if (4 * edges > n * (n - 1)) throw UsageError("independent-set: --degree is at most (n - 1) / 2");
  Engine engine = engine_for(options);
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  while (joined.size() < edges) {
    const auto a = static_cast<std::uint32_t>(random_below(engine, n));
    const auto b = static_cast<std::uint32_t>(random_below(engine, n));
    if (a == b || !joined.emplace(std::min(a, b), std::max(a, b)).second) continue;
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  ConstrainedModel model;
  model.name = fmt::format("independent set {} vertices degree {} seed {} greedy {}", n, degree,
                           options.seed, least_degree_first(neighbours));
  model.sense = Sense::maximise;
  model.objective_name = "vertices";
  for (std::size_t v = 0; v < n; ++v) {
    model.variables.push_back({fmt::format("x{}", v + 1), 0.0, 1.0});
    model.objective.linear.push_back({static_cast<std::uint32_t>(v), 1.0});
  }
  for (const auto& [a, b] : joined) {
    ModelConstraint c{fmt::format("e{}", model.constraints.size() + 1), {}, -kUnbounded, 1.0};
    c.left.linear = {{a, 1.0}, {b, 1.0}};
    model.constraints.push_back(std::move(c));
  }
  return model;
}

}  // namespace chainmail
