// The linear detectors a receiver would use first: zero forcing and minimum mean square error.
#pragma once

#include "generate/mimo.hpp"

namespace chainmail::reproduce {

// Signs of (H^T H + ridge I)^-1 H^T y. InputError when the matrix cannot be inverted.
std::vector<Spin> linear_detection(const MimoChannel& channel, double ridge);

inline std::vector<Spin> zero_forcing(const MimoChannel& channel) {
  return linear_detection(channel, 0.0);
}
// Symbols have unit power, so the ridge is the variance of the noise.
inline std::vector<Spin> minimum_mean_square(const MimoChannel& channel) {
  return linear_detection(channel, channel.noise_variance);
}

}  // namespace chainmail::reproduce
