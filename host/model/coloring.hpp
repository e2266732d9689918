// Colouring a graph with k colours as a model: x_v_c says that vertex v has colour c. Every vertex
// has one colour (one-hot); neighbours never share one (x_u_c x_v_c = 0). There is no objective.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/constrained_model.hpp"

namespace chainmail {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

// Edges distinct, u != v, vertices counted from 0; names count from 1.
ConstrainedModel coloring_model(std::size_t vertices, const std::vector<Edge>& edges,
                                std::size_t colors);

}  // namespace chainmail
