// Objectives in whole numbers: what the search's doubles say about their order.
#include "model/whole_objective.hpp"

#include <catch2/catch.hpp>

#include "support/random.hpp"

using namespace chainmail;

TEST_CASE("doubles that are called ordered order all states as the exact numbers do") {
  constexpr std::size_t kBits = 5;
  Engine engine(3);
  int ordered = 0, rounded = 0;
  for (int k = 0; k < 400; ++k) {
    const auto width = static_cast<int>(2 + engine() % 58);
    ExactObjective exact;
    for (std::size_t i = 0; i < kBits; ++i) {
      const auto value = static_cast<std::int64_t>(engine() >> (64 - (i == 0 ? width : 2)));
      exact.linear.emplace_back(Wide{engine() % 2 == 0 ? value : -value}, -2);
    }
    FormModel model;
    model.bits = kBits;
    for (std::size_t i = 0; i < kBits; ++i) {
      model.pairs.close();
      model.clashes.close();
    }
    const WholeObjective objective = settle_objective(exact, model);
    (objective.ordered ? ordered : rounded) += 1;
    std::vector<double> seen;
    std::vector<Decimal> meant;
    for (unsigned state = 0; state < 1U << kBits; ++state) {
      std::vector<Bit> x(kBits);
      DecimalSum sum;
      for (std::size_t i = 0; i < kBits; ++i) {
        x[i] = static_cast<Bit>(state >> i & 1);
        sum.add(exact.linear[i], x[i]);
      }
      seen.push_back(model.f(x));
      meant.push_back(*sum.value());
    }
    for (std::size_t a = 0; a < seen.size(); ++a) {
      REQUIRE(std::abs(seen[a] - static_cast<double>(meant[a])) <=
              objective.rounding + 1e-9 * std::abs(seen[a]));
      for (std::size_t b = 0; b < seen.size(); ++b) {
        const double limit = objective.threshold(meant[b]);
        // Never wrongly reached; where order is promised, always rightly.
        if (meant[a] > meant[b]) REQUIRE(seen[a] > limit);
        if (!objective.ordered) continue;
        if (meant[a] < meant[b]) REQUIRE(seen[a] < seen[b]);
        if (meant[a] <= meant[b]) REQUIRE(seen[a] <= limit);
      }
    }
  }
  CHECK(ordered > 50);
  CHECK(rounded > 10);
}
