// A round trip as a model, by positions: x_c_p says that place c comes p-th. Place 1 stays first,
// which costs nothing (a round trip starts anywhere) and saves 2 n - 1 bits.
#pragma once

#include <cstddef>
#include <vector>

#include "model/constrained_model.hpp"

namespace chainmail {

// distance[a][b]: from a to b; n by n, n of 3 or more.
ConstrainedModel tour_model(const std::vector<std::vector<double>>& distance);

}  // namespace chainmail
