// Random places on a grid, and the model of a round trip through them.
#include <fmt/format.h>

#include <cmath>

#include "generate/kinds.hpp"
#include "generate/models.hpp"
#include "model/tour.hpp"

namespace chainmail {

ConstrainedModel make_tsp(const GenerateOptions& options) {
  const std::size_t n = required_n(options, "tsp", 3, 64);
  Engine engine = engine_for(options);
  std::vector<std::pair<double, double>> places(n);
  for (auto& [x, y] : places) {
    x = static_cast<double>(random_below(engine, 101));
    y = static_cast<double>(random_below(engine, 101));
  }
  std::vector<std::vector<double>> distance(n, std::vector<double>(n));
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      distance[a][b] = std::round(
          std::hypot(places[a].first - places[b].first, places[a].second - places[b].second));
    }
  }
  ConstrainedModel model = tour_model(distance);
  model.name = fmt::format("tsp {} places seed {}", n, options.seed);
  return model;
}

}  // namespace chainmail
