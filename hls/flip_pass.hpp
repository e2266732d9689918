// One pass of a replica: the pending flip is added to all of its fields, a chunk is drawn side by
// side, and the first row that flips becomes pending.
#pragma once

#include "flip_image.hpp"
#include "random_stream.hpp"
#include "threshold.hpp"

namespace {

// 64 cells with all replicas' fields. They are sums over spins that are up, modulo 2^17; adding
// base gives a field that fits.
void turn_cells(half_field_t field[kMaxReplicas][kUnitCells],
                const coupling_t row[kUnitWords][kWordCouplings], unsigned place, bool fresh,
                bool turned, bool down, half_field_t now[kUnitCells]) {
  // A separate function, so that HLS can schedule it.
#pragma HLS INLINE off
#pragma HLS PIPELINE II = 1
Turn_Cells:
  for (unsigned i = 0; i < kUnitCells; ++i) {
#pragma HLS UNROLL
    const int coupling = row[i / kWordCouplings][i % kWordCouplings].to_int();
    const int old = fresh ? 0 : field[place][i].to_int();
    const int step = turned ? coupling : 0;
    now[i] = down ? old - step : old + step;
    field[place][i] = now[i];
  }
}

// How many partners of each of the 64 are up, likewise.
void count_partners(count_t count[kPairReplicas][kPairCells], word_t partners, unsigned place,
                    bool fresh, bool turned, bool down, count_t now[kUnitCells]) {
#pragma HLS INLINE off
#pragma HLS PIPELINE II = 1
Count_Cells:
  for (unsigned i = 0; i < kUnitCells && kProducts != 0; ++i) {
#pragma HLS UNROLL
    const unsigned old = fresh ? 0 : count[place][i].to_uint();
    const unsigned step = turned ? (partners >> i) & 1u : 0u;
    now[i] = down ? old - step : old + step;
    count[place][i] = now[i];
  }
}

// The outcome of a chunk of W rows.
struct FirstTurn {
  bool any;
  unsigned lane;
  field_t field;
  pull_t pull;
  bool was_up;
};

// Lanes draw or, when spins are loaded, report which of them are up.
FirstTurn draw_chunk(const field_t field[kLanes], const pull_t pull[kLanes],
                     const spin_t clamp[kLanes], word_t spins, unsigned start, bool loading,
                     const Parameters& parameters, random_t stream[kStreams][kRngWords]) {
#pragma HLS INLINE
  FirstTurn first = {false, 0, 0, 0, false};
Draw_Lanes:
  for (unsigned up = 0; up < kLanes; ++up) {
    // Each lane is its own hardware; the lowest that flips wins.
#pragma HLS UNROLL
    const unsigned l = kLanes - 1 - up;
    const bool is_up = ((spins >> l) & 1u) != 0;
    const sum_t push = kPenalised
                           ? sum_t(-sum_t(ap_int<kPenaltyBits + 1>(parameters.penalty) * pull[l]))
                           : sum_t(0);
    const spin_t drawn = decide(parameters.beta, field[l], push, stream[l][kRngWords - 1]);
    const bool turns = loading ? is_up : (drawn[0] != is_up && !clamp[l][0]);
    if (turns && l >= start) {
      first.any = true;
      first.lane = l;
      first.field = field[l];
      first.pull = pull[l];
      first.was_up = is_up && !loading;
    }
    if (!loading) step_stream(stream[l], 0);
  }
  return first;
}

// The replica's place and its pending flip after a pass.
Cursor advance(Cursor c, const FirstTurn& first, bool draws, unsigned last_chunk) {
#pragma HLS INLINE
  const bool ends = draws && (!first.any || first.lane == kLanes - 1);
  const bool ends_sweep = ends && c.chunk == last_chunk;
  c.row = c.chunk.to_uint() * kLanes + first.lane;
  c.turned = first.any ? 1 : 0;
  c.down = first.was_up ? 1 : 0;
  c.start = ends ? 0u : first.lane + 1;
  if (ends) c.chunk = ends_sweep ? 0u : c.chunk.to_uint() + 1;
  if (ends_sweep) c.left = c.left - 1;
  c.opening = 0;
  c.finished = draws ? 0 : 1;
  return c;
}

}  // namespace
