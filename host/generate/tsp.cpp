// The travelling salesman by positions: x_c_p says that place c comes p-th. Place 1 stays first,
// which costs nothing (a round trip starts anywhere) and saves 2 n - 1 bits.
#include <fmt/format.h>

#include <cmath>

#include "generate/kinds.hpp"
#include "generate/models.hpp"

namespace chainmail {

ConstrainedModel make_tsp(const GenerateOptions& options) {
  const std::size_t n = required_n(options, "tsp", 3, 64);
  Engine engine = engine_for(options);
  std::vector<std::pair<double, double>> places(n);
  for (auto& [x, y] : places) {
    x = static_cast<double>(random_below(engine, 101));
    y = static_cast<double>(random_below(engine, 101));
  }
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::round(
        std::hypot(places[a].first - places[b].first, places[a].second - places[b].second));
  };
  ConstrainedModel model;
  model.name = fmt::format("tsp {} places seed {}", n, options.seed);
  model.objective_name = "length";
  const std::size_t free = n - 1;
  const auto bit = [free](std::size_t place, std::size_t position) {
    return static_cast<std::uint32_t>((place - 1) * free + position - 1);
  };
  std::vector<ModelConstraint> positions;
  for (std::size_t k = 1; k < n; ++k) {
    positions.push_back({fmt::format("position_{}", k + 1), {}, 1.0, 1.0});
  }
  for (std::size_t place = 1; place < n; ++place) {
    ModelConstraint once{fmt::format("place_{}", place + 1), {}, 1.0, 1.0};
    for (std::size_t k = 1; k < n; ++k) {
      model.variables.push_back({fmt::format("x_{}_{}", place + 1, k + 1), 0.0, 1.0});
      once.left.linear.push_back({bit(place, k), 1.0});
      positions[k - 1].left.linear.push_back({bit(place, k), 1.0});
    }
    model.constraints.push_back(std::move(once));
    for (const std::size_t end : {std::size_t{1}, n - 1}) {
      model.objective.linear.push_back({bit(place, end), distance(0, place)});
    }
    for (std::size_t other = 1; other < n; ++other) {
      for (std::size_t k = 1; k + 1 < n && other != place; ++k) {
        model.objective.products.push_back(
            {bit(place, k), bit(other, k + 1), distance(place, other)});
      }
    }
  }
  for (ModelConstraint& c : positions) model.constraints.push_back(std::move(c));
  model.objective.normalise();
  return model;
}

}  // namespace chainmail
