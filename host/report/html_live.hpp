// The page of a run in progress: what is known so far, and the best against time. At the end the
// report replaces it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace chainmail {

struct LiveView {
  std::string problem, objective_name;
  bool constrained = false;
  double fraction = 0.0, seconds = 0.0, updates_per_ns = 0.0;
  std::uint64_t sweeps = 0;
  std::optional<double> best;                      // in the user's terms
  std::vector<std::pair<double, double>> history;  // seconds and best, where it changed
};

// The <main> element.
std::string html_live(const LiveView& view);

}  // namespace chainmail
