// The flip kernel's own numbers by width (docs/flips.md).
#pragma once

#include "numbers.hpp"

namespace {

// Cells come in units of 64, a function each: more in one body is more than HLS schedules in good
// time.
constexpr unsigned kUnitCells = kPbits < 64 ? kPbits : 64;
constexpr unsigned kUnits = kPbits / kUnitCells;
constexpr unsigned kUnitWords = kUnitCells / kWordCouplings;
constexpr unsigned kChunks = kPbits / kLanes;
constexpr unsigned kWordChunks = kPbits < 64 ? kChunks : 64 / kLanes;  // of a word of spins

using coupling_t = ap_int<kCouplingBits>;
using half_field_t = ap_int<kFieldBits - 1>;  // the sum of J over spins that are up
using place_t = ap_uint<9>;
using row_t = ap_uint<11>;
using chunk_t = ap_uint<8>;
using lane_t = ap_uint<6>;

// Where a replica stands: the turn that its fields have yet to hear of, and its place in the sweep.
struct Cursor {
  ap_uint<32> left;  // sweeps to run, with the one under way
  chunk_t chunk;
  lane_t start;   // lanes before it are done
  row_t row;      // that turned last,
  spin_t turned;  // if one did
  spin_t down;    // and that way
  spin_t opening;
  spin_t finished;
};

// What all passes of a burst have in common. A load begins with all spins down and turns up those
// that are: fields and f follow as in any pass.
struct FlipPlan {
  bool loading;
  unsigned last_chunk;
  energy_t all_down;  // f
  unsigned first, replicas;
};

static_assert(kLanes <= 64 && kPbits <= 2048 && kMaxReplicas <= 512, "numbers fit their types");
static_assert(kPbits % kUnitCells == 0 && kPbits % kLanes == 0, "whole units and chunks");

}  // namespace
