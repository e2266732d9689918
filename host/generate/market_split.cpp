// Market split after Cornuejols and Dawande (1998): m equations over 10 (m - 1) binaries with
// coefficients 0 to 49. Theirs have half the row sums on the right and mostly no solution; ours a
// planted one, so that there is something to find.
#include <fmt/format.h>

#include "generate/kinds.hpp"
#include "generate/models.hpp"

namespace chainmail {

ConstrainedModel make_market_split(const GenerateOptions& options) {
  const std::size_t equations = required_n(options, "market-split", 2, 8);
  const std::size_t count = 10 * (equations - 1);
  Engine engine = engine_for(options);
  ConstrainedModel model;
  model.name = fmt::format("market split {} seed {}", equations, options.seed);
  std::vector<bool> planted;
  for (std::uint32_t v = 0; v < count; ++v) {
    model.variables.push_back({fmt::format("x{}", v + 1), 0.0, 1.0});
    planted.push_back(random_sign(engine) > 0);
  }
  for (std::size_t e = 0; e < equations; ++e) {
    ModelConstraint c{fmt::format("market_{}", e + 1), {}, 0.0, 0.0};
    for (std::uint32_t v = 0; v < count; ++v) {
      const auto a = static_cast<double>(random_below(engine, 50));
      c.left.linear.push_back({v, a});
      if (planted[v]) c.upper += a;
    }
    c.lower = c.upper;
    c.left.normalise();
    model.constraints.push_back(std::move(c));
  }
  return model;
}

}  // namespace chainmail
