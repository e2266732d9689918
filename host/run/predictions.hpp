// What we expect of three boards before anyone has run one: docs/predictions.md has these rows, and
// `selftest --compare` prints them beside what a board does. Written down first, so that they can
// turn out wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/burst_costs.hpp"
#include "device/device.hpp"
#include "run/selftest.hpp"

namespace chainmail {

// A kernel on a board, busy as `solve` keeps it by default: grids of replicas that take turns.
struct Prediction {
  const char* board;   // as BOARD= names it
  const char* kernel;  // its topology
  double cells;        // LUTs of one unit; ULX3S: nextpnr's logic cells
  BurstCosts costs;    // clock_hz: of the recipe
  std::size_t replicas, grids;
  std::uint64_t sweeps;   // of a burst
  double clocks;          // of a ladder sweep: a sweep of every replica of a grid
  double updates;         // draws of a ladder sweep
  std::size_t units = 1;  // of these that the board should hold (docs/bitstreams.md)

  double updates_per_ns() const;  // of one unit that is never idle
  double idle() const;            // share of its time, by flight.hpp
  double burst_seconds() const;   // from one burst of a grid to its next
};
std::span<const Prediction> predictions();

struct PredictedTarget {
  const char* problem;
  std::vector<double> sweeps;  // median; one for each prediction, 0: does not run there
};
const std::vector<PredictedTarget>& predicted_targets();

// The tables of docs/predictions.md.
std::vector<std::string> prediction_rows();
std::vector<std::string> target_rows();

// A device's own speed in the situation of the prediction for its kernel and clock, beside it, a
// line each. They always pass: nothing is wrong with a board that differs.
std::vector<SelftestCheck> compare_with_prediction(Device& device);

}  // namespace chainmail
