// The part of a ladder that pays: from a pilot's table, the penalties between "chains break often"
// and "hardly ever", one more that holds the answer feasible, and the rows that still move.
#pragma once

#include "schedule/pilot.hpp"

namespace chainmail {

struct WindowOptions {
  double loose_g = 3.0;      // mean g of the pilot's coldest row at the first column
  double tight_g = 0.3;      // and at the last one of the window
  std::size_t columns = 20;  // with the answer's; a replica more is worth as much as more sweeps
  double answer_g = 0.02;    // the answer's penalty: where mean g falls to this,
  double answer_room = 1.2;  // times this
  double quench = 2.0;       // beta of the answer's cell, by that of its row
};

// Runs a cheap pilot (fewer rows, columns and sweeps than the paper's, where `pilot` is at its
// defaults) and takes the window of it.
Schedule find_window(const Model& model, Device& device, const PilotOptions& pilot,
                     const WindowOptions& options, const PilotObserver& observer = {});

// The rows of a pilot up to `coldest`, and the penalties of the window.
Schedule window_of(const Schedule& pilot, double coldest, const WindowOptions& options);

}  // namespace chainmail
