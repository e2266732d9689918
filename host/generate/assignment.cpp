// Generalised assignment (Ross and Soland 1975): every job goes to one machine, no machine beyond
// its capacity, at least cost. Loads 5 to 25, costs 10 to 50, capacities 0.9 of the mean load.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "generate/kinds.hpp"
#include "generate/models.hpp"

namespace chainmail {

ConstrainedModel make_assignment(const GenerateOptions& options) {
  const std::size_t jobs = required_n(options, "assignment", 2, 2000);
  const std::size_t machines = std::max<std::size_t>(2, jobs / 5);
  Engine engine = engine_for(options);
  ConstrainedModel model;
  model.name = fmt::format("assignment {} jobs seed {}", jobs, options.seed);
  model.objective_name = "cost";
  std::vector<ModelConstraint> capacity;
  std::vector<double> room(machines, 0.0);
  for (std::size_t m = 0; m < machines; ++m) {
    capacity.push_back({fmt::format("machine_{}", m + 1), {}, -kUnbounded, 0.0});
  }
  for (std::size_t job = 0; job < jobs; ++job) {
    ModelConstraint one{fmt::format("job_{}", job + 1), {}, 1.0, 1.0};
    for (std::size_t m = 0; m < machines; ++m) {
      const auto v = static_cast<std::uint32_t>(model.variables.size());
      const auto load = static_cast<double>(5 + random_below(engine, 21));
      model.variables.push_back({fmt::format("x_{}_{}", job + 1, m + 1), 0.0, 1.0});
      model.objective.linear.push_back({v, static_cast<double>(10 + random_below(engine, 41))});
      one.left.linear.push_back({v, 1.0});
      capacity[m].left.linear.push_back({v, load});
      room[m] += 0.9 * load / static_cast<double>(machines);
    }
    model.constraints.push_back(std::move(one));
  }
  for (std::size_t m = 0; m < machines; ++m) {
    capacity[m].upper = std::floor(room[m]);
    model.constraints.push_back(std::move(capacity[m]));
  }
  return model;
}

}  // namespace chainmail
