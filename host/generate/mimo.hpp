// A BPSK channel before detection: what was sent, the channel, what was received.
#pragma once

#include "generate/generate.hpp"

namespace chainmail {

struct MimoChannel {
  std::vector<Spin> sent;
  std::vector<double> gains;     // H, row by row: receiver * n + sender
  std::vector<double> received;  // y = H x + noise
  double noise_variance = 0.0;

  std::size_t size() const { return sent.size(); }
};

// The channel behind generate("mimo", options).
MimoChannel draw_mimo_channel(const GenerateOptions& options);

// f = |y - H S|^2; what was sent is its reference solution.
Problem mimo_problem(const MimoChannel& channel);

}  // namespace chainmail
