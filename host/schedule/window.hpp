// The part of a ladder that pays: from a pilot's table, the penalties between "chains break often"
// and "hardly ever", one more that holds the answer feasible, and a cold row to quench in.
#pragma once

#include "schedule/pilot.hpp"

namespace chainmail {

struct WindowOptions {
  double loose_g = 3.0;      // mean g of the pilot's coldest row at the first column
  double tight_g = 0.3;      // and at the last one of the window
  std::size_t columns = 12;  // with the answer's
  double answer_g = 0.02;    // the answer's penalty: where mean g falls to this,
  double answer_room = 1.2;  // times this
  double quench = 2.0;       // beta of the answer's row, by that of the coldest row that moves
};

// What a pilot needs to measure for a window: rows that move, fewer columns, fewer sweeps. Options
// that are not at their defaults stay.
PilotOptions window_pilot(const Model& model, PilotOptions options);

Schedule window_of(const Schedule& pilot, const WindowOptions& options);

}  // namespace chainmail
