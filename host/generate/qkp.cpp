// Quadratic knapsacks after Gallo, Hammer and Simeone (1980), as Billionnet and Soutif made theirs:
// profits 1 to 100 present with the given density, weights 1 to 50, capacity 50 to all weights.
#include <fmt/format.h>

#include "generate/kinds.hpp"
#include "generate/models.hpp"
#include "support/error.hpp"

namespace chainmail {

ConstrainedModel make_qkp(const GenerateOptions& options) {
  const std::size_t n = required_n(options, "qkp", 1, kMaxDense);
  const double density = options.density.value_or(0.5);
  if (!(density > 0.0 && density <= 1.0)) throw UsageError("--density: expected above 0, up to 1");
  Engine engine = engine_for(options);
  const auto from_one_to = [&](std::size_t most) {
    return static_cast<double>(1 + random_below(engine, most));
  };
  const auto profit = [&] { return unit_interval(engine()) < density ? from_one_to(100) : 0.0; };
  ConstrainedModel model;
  model.name = fmt::format("qkp {} items seed {}", n, options.seed);
  model.sense = Sense::maximise;
  model.objective_name = "profit";
  ModelConstraint capacity{"capacity", {}, -kUnbounded, 0.0};
  double total = 0.0;
  for (std::uint32_t i = 0; i < n; ++i) {
    model.variables.push_back({fmt::format("x{}", i + 1), 0.0, 1.0});
    model.objective.linear.push_back({i, profit()});
    for (std::uint32_t j = i + 1; j < n; ++j) model.objective.products.push_back({i, j, profit()});
    const double weight = from_one_to(50);
    capacity.left.linear.push_back({i, weight});
    total += weight;
  }
  capacity.upper =
      total <= 50.0
          ? total
          : 50.0 + static_cast<double>(random_below(engine, static_cast<std::size_t>(total) - 49));
  model.objective.normalise();
  model.constraints.push_back(std::move(capacity));
  return model;
}

}  // namespace chainmail
