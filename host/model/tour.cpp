#include "model/tour.hpp"

#include <fmt/format.h>

namespace chainmail {

ConstrainedModel tour_model(const std::vector<std::vector<double>>& distance) {
  const std::size_t n = distance.size(), free = n - 1;
  ConstrainedModel model;
  model.objective_name = "length";
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
    model.objective.linear.push_back({bit(place, 1), distance[0][place]});
    model.objective.linear.push_back({bit(place, n - 1), distance[place][0]});
    for (std::size_t other = 1; other < n; ++other) {
      for (std::size_t k = 1; k + 1 < n && other != place; ++k) {
        const std::uint32_t from = bit(place, k), to = bit(other, k + 1);
        model.objective.products.push_back(
            {std::min(from, to), std::max(from, to), distance[place][other]});
      }
    }
  }
  for (ModelConstraint& c : positions) model.constraints.push_back(std::move(c));
  model.objective.normalise();
  return model;
}

}  // namespace chainmail
