// What makes large files quick to read changes nothing about what they mean.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>

#include "../temporary_folder.hpp"
#include "problem/files.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail {
namespace {

struct Edge {
  std::uint64_t i, j;
  int weight;
};

std::vector<Edge> some_edges(std::uint64_t vertices, Engine& engine) {
  std::vector<Edge> edges;
  for (std::uint64_t i = 1; i <= vertices; ++i) {
    for (std::uint64_t j = i + 1; j <= vertices; ++j) {
      if (engine() % 3 == 0) edges.push_back({i, j, static_cast<int>(engine() % 2001) - 1000});
    }
  }
  return edges;
}

std::string rudy(std::uint64_t vertices, const std::vector<Edge>& edges, Engine* varied) {
  std::string text = std::to_string(vertices) + " " + std::to_string(edges.size()) + "\n";
  for (const Edge& e : edges) {
    const std::uint64_t way = varied == nullptr ? 0 : (*varied)() % 6;
    const std::string i = std::to_string(e.i), j = std::to_string(e.j);
    const std::string w = std::to_string(e.weight);
    text += way == 1   ? j + " " + i + " " + w + "\n"
            : way == 2 ? " " + i + "\t" + j + "  " + w + " \r\n"
            : way == 3 ? i + " " + j + " " + w + ".0\n"
            : way == 4
                ? "# a comment\n\n" + i + " " + j + " " + (e.weight < 0 ? "" : "+") + w + "\n"
            : way == 5 ? i + " " + j + " " + w + "e0\n"
                       : i + " " + j + " " + w + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("edges mean the same in any order and way of writing", "[problem]") {
  constexpr std::uint64_t kVertices = 90;
  Engine engine(3);
  std::vector<Edge> edges = some_edges(kVertices, engine);
  const Problem sorted = parse_problem(rudy(kVertices, edges, nullptr), "t", Format::rudy);
  std::size_t kept = 0;
  for (const Edge& e : edges) {
    if (e.weight == 0) continue;
    const Coupling expected{static_cast<std::uint32_t>(e.i - 1),
                            static_cast<std::uint32_t>(e.j - 1), -1.0 * e.weight};
    REQUIRE(sorted.objective.couplings[kept++] == expected);
  }
  REQUIRE(sorted.objective.couplings.size() == kept);
  CHECK(parse_problem(rudy(kVertices, edges, &engine), "t", Format::rudy) == sorted);
  for (int shuffle = 0; shuffle < 3; ++shuffle) {
    for (std::size_t k = edges.size(); k > 1; --k) {
      std::swap(edges[k - 1], edges[below(k, engine)]);
    }
    CHECK(parse_problem(rudy(kVertices, edges, &engine), "t", Format::rudy) == sorted);
  }
  // Both lines are named, however far apart.
  std::erase_if(edges, [](const Edge& e) { return e.i == 5 && e.j == 7; });
  edges.insert(edges.begin() + 20, {5, 7, 1});
  edges.insert(edges.begin() + 900, {7, 5, 1});
  edges.push_back({5, 7, 2});
  CHECK_THROWS_WITH(parse_problem(rudy(kVertices, edges, nullptr), "t", Format::rudy),
                    "t:902: the edge 5 7 was given before, on line 22");
}

TEST_CASE("digits beyond a double are noticed wherever they stand in a file", "[problem]") {
  TemporaryFolder folder;
  const std::string file = folder.file("t.coo");
  const auto written = [&](const std::string& number, std::size_t shift) {
    std::ofstream(file) << "#" << std::string(shift, ' ') << "\n0 1 " << number << "\n1 2 12\n";
    Written found;
    read_problem(file, Format::coo, nullptr, &found);
    return found;
  };
  for (std::size_t shift = 0; shift < 16; ++shift) {
    CAPTURE(shift);
    CHECK(written("1234567", shift).place == 0);
    CHECK(!written("123456789012345", shift).rounded);
    CHECK(written("12345678901234567", shift).rounded);
    CHECK(!written("12345678901234568", shift).rounded);
    CHECK(written(".25", shift).place == -2);
    CHECK(written("-31.125", shift).place == -3);
    CHECK(written("5e-4", shift).place == -4);
    CHECK(written("123456789E-11", shift).place == -11);
    CHECK(written("0.1234567890123456789", shift).rounded);
    CHECK(written("1000000.00000000000000000001", shift).rounded);
  }
}

}  // namespace chainmail
