// One-hots are found where they are, f stays the same on every state that satisfies them, and
// problems without any are left alone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "../one_hot_qubo.hpp"
#include "generate/generate.hpp"
#include "problem/bits.hpp"
#include "problem/one_hot_penalties.hpp"
#include "support/random.hpp"

namespace chainmail {
namespace {

std::vector<Bit> square_of(const std::vector<std::uint32_t>& permutation) {
  const std::size_t n = permutation.size();
  std::vector<Bit> bits(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) bits[i * n + permutation[i]] = 1;
  return bits;
}

}  // namespace

TEST_CASE("permutations written as penalties are found, whatever rows and columns weigh") {
  constexpr std::uint32_t kSize = 6;
  for (const auto& [rows, columns] : {std::pair(300.0, 300.0), std::pair(300.0, 250.0)}) {
    PenaltyQubo qubo(kSize * kSize);
    qubo.add_permutation(kSize, rows, columns);
    add_assignment_costs(qubo, kSize);
    const Quadratic f = qubo.f();
    const std::optional<FormModel> model = recover_one_hots(f);
    REQUIRE(model);
    CHECK(model->groups.size() == kSize);
    CHECK(model->forms.size() == kSize);
    CHECK(model->free_bits.empty());
    // Equal on what satisfies them, and the squares are gone elsewhere.
    Engine engine(5);
    std::vector<std::uint32_t> permutation(kSize);
    std::iota(permutation.begin(), permutation.end(), 0U);
    for (int k = 0; k < 50; ++k) {
      std::shuffle(permutation.begin(), permutation.end(), engine);
      const std::vector<Bit> bits = square_of(permutation);
      CHECK(model->violated(bits) == 0);
      CHECK(model->f(bits) == Approx(f(spins_of(bits))));
    }
    CHECK(model->f(std::vector<Bit>(kSize * kSize, 0)) == Approx(0.0).margin(1e-9));
    CHECK(std::none_of(model->pairs.items.begin(), model->pairs.items.end(),
                       [](const Neighbour& n) { return n.value > 81.0; }));
  }
}

TEST_CASE("one-hots are told from conflicts that weigh as much, and may leave bits free") {
  // Three colours for a ring of vertices and one triangle; a conflict is as dear as a second
  // colour.
  constexpr std::uint32_t kVertices = 9, kColours = 3, kFree = 4;
  PenaltyQubo qubo(kVertices * kColours + kFree);
  for (std::uint32_t v = 0; v < kVertices; ++v) {
    qubo.add_one_hot({v * kColours, v * kColours + 1, v * kColours + 2}, 2.0);
    for (std::uint32_t c = 0; c < kColours; ++c) {
      const std::uint32_t next = (v + 1) % kVertices;
      qubo.add(std::min(v, next) * kColours + c, std::max(v, next) * kColours + c, 4.0);
    }
  }
  for (std::uint32_t c = 0; c < kColours; ++c) qubo.add(c, 2 * kColours + c, 4.0);
  for (std::uint32_t k = 0; k < kFree; ++k) qubo.add(k, kVertices * kColours + k, -1.0);
  const std::optional<FormModel> model = recover_one_hots(qubo.f());
  REQUIRE(model);
  CHECK(model->groups.size() == kVertices);
  CHECK(model->forms.size() == 0);
  CHECK(model->free_bits.size() == kFree);
  for (std::size_t v = 0; v < kVertices; ++v) {
    const auto group = model->groups[v];
    CHECK(group.size() == kColours);
    CHECK(group.front() / kColours == group.back() / kColours);
  }
}

TEST_CASE("problems without one-hots are left alone") {
  GenerateOptions options;
  options.n = 60;
  for (const char* kind : {"sk", "wishart"}) {
    CHECK_FALSE(recover_one_hots(generate(kind, options).objective));
  }
  options.degree = 6;
  CHECK_FALSE(recover_one_hots(generate("maxcut", options).objective));
  Engine engine(3);
  PenaltyQubo random(60);  // as in the libraries of random QUBOs
  for (std::uint32_t i = 0; i < 60; ++i) {
    random.add(i, static_cast<double>(engine() % 201) - 100.0);
    for (std::uint32_t j = i + 1; j < 60; ++j) {
      random.add(i, j, 2.0 * (static_cast<double>(engine() % 201) - 100.0));
    }
  }
  CHECK_FALSE(recover_one_hots(random.f()));
  PenaltyQubo conflicts(60);  // an independent set: nothing says that one must be in
  for (std::uint32_t i = 0; i < 60; ++i) {
    conflicts.add(i, -1.0);
    for (std::uint32_t step : {1U, 7U}) {
      const std::uint32_t j = (i + step) % 60;
      conflicts.add(std::min(i, j), std::max(i, j), 2.0);
    }
  }
  CHECK_FALSE(recover_one_hots(conflicts.f()));
}

}  // namespace chainmail
