// A short run of the whole grid that finds weak pairs the pilot could not foresee and puts a rung
// between them.
#pragma once

#include "grid/sampler.hpp"
#include "grid/watch.hpp"

namespace chainmail {

struct RehearsalOptions {
  std::uint64_t sweeps = 4000;  // 0: none
  std::uint64_t sweeps_per_swap = 10;
  double weakest = 0.12;  // pairs that swap more rarely get a rung in between
  std::size_t max_rows = 20, max_columns = 20;
  std::uint64_t seed = 1;
  TuningWatch watch = {};
};

Ladder rehearse(const Embedding& embedding, const Ladder& ladder, Device& device,
                const RehearsalOptions& options, const std::atomic<bool>& stop,
                const std::function<void(double)>& observer = {});

// Rungs added to a ladder so that no gap is longer than `longest`: a gap of length 2.5 `longest`
// is cut in three. The longest gaps come first when `max_rungs` does not allow all.
std::vector<double> with_rungs(const std::vector<double>& ladder, const std::vector<double>& gaps,
                               double longest, std::size_t max_rungs);

}  // namespace chainmail
