// Placement, colours, decoding, and that the embedded f and g are the logical ones on whole chains.
#include "embedding/embedding.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/topology.hpp"

using namespace chainmail;

namespace {

Problem complete(std::size_t n, std::uint64_t seed = 7) {
  Problem problem;
  problem.objective = Quadratic(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    problem.objective.fields[i] = unit_interval(hash_of(seed, {i})) - 0.5;
    for (std::uint32_t j = i + 1; j < n; ++j) {
      problem.objective.couplings.push_back({i, j, unit_interval(hash_of(seed, {i, j})) - 0.5});
    }
  }
  return problem;
}

Problem sparse(std::size_t n, double density, std::uint64_t seed) {
  Problem problem = complete(n, seed);
  std::erase_if(problem.objective.couplings, [&](const Coupling& c) {
    return unit_interval(hash_of(seed, {c.i, c.j, 99})) > density;
  });
  return problem;
}

std::vector<Spin> random_spins(std::size_t n, std::uint64_t seed) {
  std::vector<Spin> spins(n);
  for (std::size_t i = 0; i < n; ++i) spins[i] = hash_of(seed, {i}) & 1 ? 1 : -1;
  return spins;
}

bool properly_coloured(const PhysicalModel& model) {
  for (const Quadratic* q : {&model.f, &model.g}) {
    for (const Coupling& c : q->couplings) {
      if (model.colour[c.i] == model.colour[c.j]) return false;
    }
  }
  return true;
}

const auto kPlacements = {Placement::alt, Placement::balanced, Placement::packed};

}  // namespace

TEST_CASE("every coupling sits on exactly one pair of copies and energies agree on whole chains") {
  for (Placement placement : kPlacements) {
    for (std::size_t copies : {1, 2, 3, 4, 5}) {
      for (const Problem& problem : {complete(13), sparse(30, 0.2, 3), sparse(9, 0.0, 4)}) {
        const Embedding embedding = embed(problem, copies, placement);
        INFO(name_of(placement) << " " << copies);
        CHECK(embedding.model.f.couplings.size() == problem.objective.couplings.size());
        CHECK(properly_coloured(embedding.model));
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
          const std::vector<Spin> logical = random_spins(problem.size(), seed);
          const std::vector<Spin> physical = spread(embedding, logical);
          CHECK(embedding.model.f(physical) == Approx(problem.objective(logical)));
          CHECK(embedding.model.g(physical) == 0.0);
          CHECK(decode_strict(embedding, physical).spins == logical);
          CHECK(decode_majority(embedding, physical).broken_chains == 0);
        }
      }
    }
  }
}

TEST_CASE("alt has two colours and the smallest possible fan-in on complete graphs") {
  for (std::size_t n : {2, 5, 8, 16, 20, 40, 50, 100}) {
    for (std::size_t copies : {2, 3, 4, 5}) {
      const EmbeddingStatistics stats = statistics(embed(complete(n), copies, Placement::alt));
      INFO(n << " x " << copies);
      CHECK(stats.colours == 2);
      CHECK(stats.fan_in.rbegin()->first == (n - 1 + copies - 1) / copies);
    }
  }
  const EmbeddingStatistics paper = statistics(embed(complete(100), 3, Placement::alt));
  CHECK(paper.fan_in == std::map<std::size_t, std::size_t>{{33, 300}});
}

TEST_CASE("alt raises the cap by one where two colours cannot do with less") {
  // N and K odd leave one colour a p-bit short; with K | N-1 no slot is spare to make up for it.
  for (const auto& [n, fan_in] : {std::pair{7U, 3U}, std::pair{13U, 5U}, std::pair{19U, 7U}}) {
    const EmbeddingStatistics stats = statistics(embed(complete(n), 3, Placement::alt));
    CHECK(stats.colours == 2);
    CHECK(stats.fan_in.rbegin()->first == fan_in);
  }
}

TEST_CASE("balanced has the smallest possible fan-in, packed keeps quads together") {
  const EmbeddingStatistics balanced = statistics(embed(complete(40), 3, Placement::balanced));
  CHECK(balanced.fan_in.rbegin()->first == 13);
  const Embedding packed = embed(complete(100), 3, Placement::packed);
  std::vector<std::set<std::uint32_t>> quads(packed.pbits());
  for (const Coupling& c : packed.model.f.couplings) {
    quads[c.i].insert(c.j / 4);
    quads[c.j].insert(c.i / 4);
  }
  for (const auto& set : quads) CHECK(set.size() <= 9);
}

TEST_CASE("colouring is exact on a bipartite lattice and uses N colours on a complete graph") {
  Problem ring;
  ring.objective = Quadratic(10);
  for (std::uint32_t i = 0; i < 10; ++i) ring.objective.couplings.push_back({i, (i + 1) % 10, 1.0});
  ring.objective.normalise();
  CHECK(statistics(embed(ring, 1)).colours == 2);
  CHECK(statistics(embed(complete(16), 1)).colours == 16);
}

TEST_CASE("g is two per broken link, and majority decoding says what it repaired") {
  const Embedding embedding = embed(complete(6), 3, Placement::alt);
  std::vector<Spin> physical(embedding.pbits(), 1);
  physical[embedding.pbit(2, 0)] = -1;  // an end: one link
  CHECK(embedding.model.g(physical) == 2.0);
  physical[embedding.pbit(4, 1)] = -1;  // a middle: two links
  CHECK(embedding.model.g(physical) == 6.0);
  CHECK(decode_majority(embedding, physical).broken_chains == 2);
  CHECK(decode_majority(embedding, physical).spins == std::vector<Spin>(6, 1));
  CHECK(decode_strict(embedding, physical).spins[2] == -1);
}

TEST_CASE("with a user's constraint g stays positive wherever a chain is broken") {
  Problem problem = complete(4);
  Quadratic one_hot(4);  // (sum of bits - 1)^2 in spins
  one_hot.offset = 2.0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    one_hot.fields[i] = -1.0;
    for (std::uint32_t j = i + 1; j < 4; ++j) one_hot.couplings.push_back({i, j, -0.5});
  }
  problem.constraint = one_hot;
  const Embedding embedding = embed(problem, 2, Placement::alt);
  for (unsigned word = 0; word < 256; ++word) {
    std::vector<Spin> physical(8);
    for (std::size_t p = 0; p < 8; ++p) physical[p] = word >> p & 1 ? 1 : -1;
    const Decoded decoded = decode_strict(embedding, physical);
    const double g = embedding.model.g(physical);
    if (decoded.broken_chains == 0) {
      CHECK(g == Approx(one_hot(decoded.spins)).margin(1e-12));
    } else {
      CHECK(g >= 2.0);
    }
  }
}

TEST_CASE("bad copies and placements are refused by name") {
  CHECK_THROWS_WITH(embed(complete(3), 0),
                    Catch::Contains("copies must be between 1 and 64, not 0"));
  CHECK_THROWS_WITH(placement_from_name("diagonal"), Catch::Contains("'diagonal'"));
  CHECK(placement_from_name("packed") == Placement::packed);
}

TEST_CASE("g is positive wherever a chain is broken, on any wiring") {
  // (x0 + x1 + x2 - 1)^2 with x = (1 + S) / 2: negative on copies that disagree, were links light.
  Problem problem = complete(3);
  Quadratic g(3);
  g.offset = 1.0;
  g.fields = {-0.5, -0.5, -0.5};
  g.couplings = {{0, 1, -0.5}, {0, 2, -0.5}, {1, 2, -0.5}};
  problem.constraint = g;
  for (std::size_t copies : {2, 3}) {
    const Topology topology = topology_from_name("4x" + std::to_string(copies));
    for (const Embedding& embedding :
         {embed(problem, copies, Placement::alt), embed(problem, copies, Placement::packed),
          embed(problem, topology)}) {
      for (std::uint64_t state = 0; state < std::uint64_t{1} << embedding.pbits(); ++state) {
        std::vector<Spin> spins;
        for (std::size_t p = 0; p < embedding.pbits(); ++p) {
          spins.push_back(state >> p & 1 ? 1 : -1);
        }
        const Decoded decoded = decode_majority(embedding, spins);
        const double value = embedding.model.g(spins);
        if (decoded.broken_chains > 0) {
          REQUIRE(value >= 2.0);
        } else {
          REQUIRE(value == Approx(g(decoded.spins)).margin(1e-12));
        }
      }
    }
  }
}

TEST_CASE("a coupling that a topology has no wire for is refused, not looked for", "[embedding]") {
  Problem problem;
  problem.objective = Quadratic(3);
  problem.objective.couplings = {{0, 1, 1.0}, {1, 2, -1.0}};
  const std::vector<Meeting> chain{{0, 1, 0, 0}, {1, 2, 0, 0}};
  const Wiring wiring{"chain", 3, 1, chain, {0, 1, 0}, {0, 0, 0}};
  CHECK(embed(problem, wiring).model.f.couplings.size() == 2);
  for (const Coupling missing : {Coupling{0, 2, 1.0}, Coupling{1, 2, 1.0}}) {
    Problem other = problem;
    other.objective.couplings = {{0, 1, 1.0}, missing};
    const std::span<const Meeting> wired(chain.data(), missing.i == 1 ? 1 : 2);
    CHECK_THROWS_WITH(embed(other, Wiring{"chain", 3, 1, wired, {0, 1, 0}, {0, 0, 0}}),
                      "topology chain: spins " + std::to_string(missing.i) +
                          " and 2 are coupled, " + "but not wired to each other");
  }
}
