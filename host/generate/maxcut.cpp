// Max-cut of random graphs with unit weights. Erdos-Renyi graphs draw every pair. Regular graphs
// start from a circulant and are shuffled by switching: edges ab, cd become ad, cb where that makes
// neither a loop nor a double edge. It keeps all degrees, cannot fail as pairing stubs does for
// high degrees, and 20 tries per edge leave nothing of the circulant (McKay 1981; Cooper, Dyer,
// Greenhill 2007).
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "generate/kinds.hpp"
#include "problem/entries.hpp"
#include "problem/enumerate.hpp"
#include "problem/max_cut.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::size_t kMaxEdges = std::size_t{1} << 24;
constexpr std::size_t kTriesPerEdge = 20;

std::uint64_t key_of(const Edge& edge) {
  const auto [low, high] = std::minmax(edge.first, edge.second);
  return std::uint64_t{low} << 32 | high;
}

std::vector<Edge> circulant(std::size_t n, std::size_t degree) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t step = 1; step <= degree / 2; ++step) {
      edges.emplace_back(i, (i + step) % n);
    }
    if (degree % 2 == 1 && i < n / 2) edges.emplace_back(i, i + n / 2);
  }
  return edges;
}

std::vector<Edge> random_regular(Engine& engine, std::size_t n, std::size_t degree) {
  std::vector<Edge> edges = circulant(n, degree);
  std::unordered_set<std::uint64_t> present;
  for (const Edge& edge : edges) present.insert(key_of(edge));
  for (std::size_t attempt = 0; attempt < kTriesPerEdge * edges.size(); ++attempt) {
    Edge& one = edges[random_below(engine, edges.size())];
    Edge& two = edges[random_below(engine, edges.size())];
    if (random_sign(engine) > 0) std::swap(two.first, two.second);
    const Edge ad{one.first, two.second}, cb{two.first, one.second};
    if (ad.first == ad.second || cb.first == cb.second) continue;
    if (present.contains(key_of(ad)) || present.contains(key_of(cb))) continue;
    present.erase(key_of(one));
    present.erase(key_of(two));
    present.insert(key_of(ad));
    present.insert(key_of(cb));
    one = ad;
    two = cb;
  }
  return edges;
}

std::vector<Edge> erdos_renyi(Engine& engine, std::size_t n, double density) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      if (unit_interval(engine()) < density) edges.emplace_back(i, j);
    }
  }
  return edges;
}

std::size_t checked_degree(std::size_t n, std::size_t degree) {
  if (degree < 1 || degree >= n) {
    throw UsageError(
        fmt::format("maxcut: degree {} with n = {}, expected 1 to {}", degree, n, n - 1));
  }
  if (n % 2 == 1 && degree % 2 == 1) {
    throw UsageError(fmt::format(
        "maxcut: no graph of n = {} vertices has degree {} everywhere: n times degree must be even",
        n, degree));
  }
  if (n * degree / 2 > kMaxEdges) {
    throw UsageError(
        fmt::format("maxcut: n = {} of degree {} has {} edges, at most {} are supported", n, degree,
                    n * degree / 2, kMaxEdges));
  }
  return degree;
}

}  // namespace

Problem make_maxcut(const GenerateOptions& options) {
  if (options.degree && options.density) {
    throw UsageError("maxcut takes --degree or --density, not both");
  }
  Engine engine = engine_for(options);
  std::vector<Edge> edges;
  std::string name;
  std::size_t n = 0;
  if (options.density) {
    n = required_n(options, "maxcut", 2, kMaxDense);
    if (!(*options.density > 0.0 && *options.density <= 1.0)) {
      throw UsageError(
          fmt::format("maxcut: density = {}, expected above 0, at most 1", *options.density));
    }
    edges = erdos_renyi(engine, n, *options.density);
    name = fmt::format("maxcut-n{}-p{}-s{}", n, *options.density, options.seed);
  } else {
    n = required_n(options, "maxcut", 2, kMaxSpins);
    const std::size_t degree = checked_degree(n, options.degree.value_or(3));
    edges = random_regular(engine, n, degree);
    name = fmt::format("maxcut-n{}-d{}-s{}", n, degree, options.seed);
  }
  for (Edge& edge : edges) {
    if (edge.first > edge.second) std::swap(edge.first, edge.second);
  }
  std::sort(edges.begin(), edges.end());
  std::vector<Coupling> weighted;
  weighted.reserve(edges.size());
  for (const Edge& edge : edges) weighted.push_back({edge.first, edge.second, 1.0});
  Problem problem = max_cut(n, std::move(weighted));
  problem.name = name;
  store_enumerated_optimum(problem);
  return problem;
}

}  // namespace chainmail
