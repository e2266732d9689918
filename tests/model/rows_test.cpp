// Bounds that follow from constraints, on both sides, and rows that had to be rounded.
#include <catch2/catch.hpp>
#include <numbers>

#include "model/bounds.hpp"
#include "model/whole_row.hpp"
#include "support/random.hpp"

namespace chainmail {

TEST_CASE("both bounds of a variable follow from a constraint", "[model]") {
  ConstrainedModel model;
  model.variables = {{"x", 0.0, 100.0}, {"y", 0.0, 5.0}};
  ModelConstraint c;
  c.name = "c";
  c.left.linear = {{0, 1.0}, {1, -1.0}};  // 3 <= x - y <= 7
  c.lower = 3.0;
  c.upper = 7.0;
  model.constraints = {c};
  const TightBounds tight = tighten_bounds(model);
  CHECK(tight.bounds[0].lower == 3);
  CHECK(tight.bounds[0].upper == 12);
  CHECK(tight.bounds[1].lower == 0);
  CHECK(tight.bounds[1].upper == 5);
}

TEST_CASE("a rounded one-sided row accepts nothing that violates it", "[model]") {
  const double coefficients[] = {std::numbers::pi, std::numbers::e, std::numbers::sqrt2,
                                 std::numbers::sqrt3, std::numbers::phi};
  const std::vector<WholeBounds> bounds(5, {0, 9});
  Engine engine(3);
  for (int number = 0; number < 400; ++number) {
    std::vector<std::int64_t> values(5);
    double sum = 0.0;
    ModelConstraint c;
    c.name = "c";
    for (std::uint32_t i = 0; i < 5; ++i) {
      values[i] = static_cast<std::int64_t>(engine() % 10);
      sum += coefficients[i] * static_cast<double>(values[i]);
      c.left.linear.push_back({i, coefficients[i]});
    }
    // The limit lies just on the wrong side of these values.
    const bool at_most = number % 2 == 0;
    (at_most ? c.upper : c.lower) = at_most ? sum - 1e-6 : sum + 1e-6;
    const WholeRow row = make_whole(c, bounds);
    REQUIRE(!row.exact);
    std::int64_t whole = 0;
    for (const WholeTerm& t : row.terms) whole += t.coefficient * values[t.variable];
    CHECK_FALSE((row.lower <= whole && whole <= row.upper));
  }
}

}  // namespace chainmail
