// Samples in the user's own variables, whatever a plan runs on: every assignment of values is drawn
// with probability exp(-beta (f + P g)) / Z. The command line and the library draw through here.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "grid/sampler.hpp"
#include "run/plan.hpp"

namespace chainmail {

struct DrawnSample {
  std::uint64_t burst;  // from 1
  std::size_t row, column;
  std::uint64_t number;  // of this cell, from 0
  double f, g;
  std::vector<Spin> spins;           // of a problem
  std::vector<std::int64_t> values;  // of a model's variables
};

// `options.rounds` samples of each cell; of the answer's only if `all` is false. Throws UsageError
// or InputError if there is no such distribution.
void draw_samples(const Plan& plan, Device& device, SampleOptions options, bool all,
                  const std::atomic<bool>& stop,
                  const std::function<void(const DrawnSample&)>& take);

}  // namespace chainmail
