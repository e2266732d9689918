#include "model/coloring.hpp"

#include <fmt/format.h>

#include "problem/entries.hpp"
#include "support/error.hpp"

namespace chainmail {

ConstrainedModel coloring_model(std::size_t vertices, const std::vector<Edge>& edges,
                                std::size_t colors) {
  if (colors < 1 || vertices > kMaxSpins / colors) {
    throw InputError(fmt::format("{} vertices with {} colours need more than {} bits", vertices,
                                 colors, kMaxSpins));
  }
  ConstrainedModel model;
  const auto bit = [&](std::size_t vertex, std::size_t color) {
    return static_cast<std::uint32_t>(vertex * colors + color);
  };
  for (std::size_t v = 0; v < vertices; ++v) {
    ModelConstraint one{fmt::format("vertex_{}", v + 1), {}, 1.0, 1.0};
    for (std::size_t c = 0; c < colors; ++c) {
      model.variables.push_back({fmt::format("x_{}_{}", v + 1, c + 1), 0.0, 1.0});
      one.left.linear.push_back({bit(v, c), 1.0});
    }
    model.constraints.push_back(std::move(one));
  }
  for (const auto& [u, v] : edges) {
    ModelConstraint differ{fmt::format("edge_{}_{}", u + 1, v + 1), {}, 0.0, 0.0};
    for (std::size_t c = 0; c < colors; ++c) {
      differ.left.products.push_back({bit(u, c), bit(v, c), 1.0});
    }
    differ.left.normalise();
    model.constraints.push_back(std::move(differ));
  }
  return model;
}

}  // namespace chainmail
