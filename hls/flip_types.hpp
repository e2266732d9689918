// The flip kernel's own integer types (docs/flips.md).
#pragma once

#include "forms.hpp"

namespace {

// Cells come in units of 64, one function each: HLS takes too long to schedule more in one body.
constexpr unsigned kUnitCells = kPbits < 64 ? kPbits : 64;
constexpr unsigned kUnits = kPbits / kUnitCells;
constexpr unsigned kUnitWords = kUnitCells / kWordCouplings;
constexpr unsigned kChunks = kPbits / kLanes;
constexpr unsigned kWordChunks = kPbits < 64 ? kChunks : 64 / kLanes;  // of a word of spins

// With products a word of them precedes the couplings of each unit. Parts a topology leaves out
// have one element, since none is not allowed.
constexpr unsigned kUnitRecord = kUnitWords + (kProducts != 0 ? 1 : 0);
constexpr bool kPenalised = kForms > 0 || kProducts != 0;
constexpr unsigned kPairRows = kProducts != 0 ? kPbits : 1;
constexpr unsigned kPairReplicas = kProducts != 0 ? kMaxReplicas : 1;
constexpr unsigned kPairCells = kProducts != 0 ? kUnitCells : 1;

using coupling_t = ap_int<kCouplingBits>;
using half_field_t = ap_int<kFieldBits - 1>;  // the sum of J over spins that are up
using count_t = ap_uint<11>;                  // partners that are up
using place_t = ap_uint<9>;
using row_t = ap_uint<11>;
using chunk_t = ap_uint<8>;
using lane_t = ap_uint<6>;

// What a row is besides its couplings.
struct RowMarks {
  spin_t clamp;
  spin_t member, begin, last;  // of a one-hot group, its first, its last
};

// A replica's position: the flip that its fields do not include yet, and its place in the sweep.
struct Cursor {
  ap_uint<32> left;  // sweeps to run, including the current one
  chunk_t chunk;
  lane_t start;    // lanes before it are done
  row_t row;       // that flipped last,
  spin_t turned;   // if any did
  spin_t down;     // and in which direction
  spin_t settles;  // the best member of a group is to be set up
  spin_t opening;
  spin_t finished;
};

// Common to all passes of a burst. A load begins with all spins down and flips those that are up:
// fields and f follow as in any pass.
struct FlipPlan {
  bool loading;
  unsigned last_chunk;
  energy_t all_down;   // f
  unsigned shift;      // a product's weight as a power of two
  violation_t broken;  // g of all spins down
  unsigned first, replicas;
};

static_assert(kLanes <= 64 && kPbits <= 2048 && kMaxReplicas <= 512, "numbers fit their types");
static_assert(kPbits % kUnitCells == 0 && kPbits % kLanes == 0, "whole units and chunks");

}  // namespace
