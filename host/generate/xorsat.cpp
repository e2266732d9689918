// 3-regular 3-XORSAT (3R3X; Hen 2019, Kowalsky et al. 2022): n equations over n spins, three spins
// in each and each in three, s_i s_j s_k = b with a solution planted. The objective counts
// equations that do not hold.
#include <fmt/format.h>

#include "generate/kinds.hpp"
#include "generate/models.hpp"

namespace chainmail {

ConstrainedModel make_xorsat(const GenerateOptions& options) {
  const auto n = static_cast<std::uint32_t>(required_n(options, "3r3x", 4, kMaxDense));
  Engine engine = engine_for(options);
  ConstrainedModel model;
  model.name = fmt::format("3r3x {} seed {}", n, options.seed);
  model.objective_name = "violated";
  std::vector<int> planted;
  std::vector<std::uint32_t> places;  // three of each spin, by threes the equations
  for (std::uint32_t i = 0; i < n; ++i) {
    model.variables.push_back({fmt::format("s{}", i + 1), -1, 1, true});
    planted.push_back(random_sign(engine) > 0 ? 1 : -1);
    places.insert(places.end(), 3, i);
  }
  for (bool distinct = false; !distinct;) {
    for (std::size_t k = places.size(); k > 1; --k) {
      std::swap(places[k - 1], places[random_below(engine, k)]);
    }
    distinct = true;
    for (std::size_t k = 0; k < places.size(); k += 3) {
      const std::uint32_t a = places[k], b = places[k + 1], c = places[k + 2];
      distinct = distinct && a != b && a != c && b != c;
    }
  }
  model.objective.constant = Decimal(n) * 0.5;
  for (std::size_t k = 0; k < places.size(); k += 3) {
    const int b = planted[places[k]] * planted[places[k + 1]] * planted[places[k + 2]];
    model.objective.add({places[k], places[k + 1], places[k + 2]}, -0.5 * b);
  }
  model.objective.normalise();
  return model;
}

}  // namespace chainmail
