// Heat bath on whole chains: all copies of a logical spin are resampled jointly and exactly.
#pragma once

#include "device/cpu/float_model.hpp"

namespace chainmail {

// Sweeps first ... first + count - 1 of a burst over every chain of a model that has chains.
void sweep_chains(const FloatModel<float>& model, FloatState<float>& state, std::uint64_t first,
                  std::uint64_t count);
void sweep_chains(const FloatModel<double>& model, FloatState<double>& state, std::uint64_t first,
                  std::uint64_t count);

}  // namespace chainmail
