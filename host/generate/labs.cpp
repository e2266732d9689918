// Low autocorrelation binary sequences (Golay 1977): E = sum_k C_k^2, C_k = sum_i s_i s_(i+k).
// Optima are published to n = 66 (Packebusch and Mertens 2016), e.g. 26 of n = 20, 108 of 40, 153
// of 50.
#include <fmt/format.h>

#include "generate/kinds.hpp"
#include "generate/models.hpp"

namespace chainmail {

ConstrainedModel make_labs(const GenerateOptions& options) {
  const auto n = static_cast<std::uint32_t>(required_n(options, "labs", 3, 256));
  ConstrainedModel model;
  model.name = fmt::format("labs {}", n);
  model.objective_name = "energy";
  for (std::uint32_t i = 0; i < n; ++i) {
    model.variables.push_back({fmt::format("s{}", i + 1), -1, 1, true});
  }
  for (std::uint32_t k = 1; k < n; ++k) {
    model.objective.constant += n - k;  // a product with itself
    for (std::uint32_t i = 0; i + k < n; ++i) {
      for (std::uint32_t j = i + 1; j + k < n; ++j) {
        if (j == i + k) {
          model.objective.add({i, j + k}, 2);
        } else {
          model.objective.add({i, i + k, j, j + k}, 2);
        }
      }
    }
  }
  model.objective.normalise();
  return model;
}

}  // namespace chainmail
