// One pass of a replica: the pending flip is added to all of its fields, a chunk is drawn side by
// side, and the first row that flips becomes pending.
#pragma once

#include "flip_groups.hpp"
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

// The outcome of a chunk of W rows: the first that flips, or is a member of a group.
struct FirstTurn {
  bool any, turns;
  unsigned lane, row;
  field_t field;
  pull_t pull;
  bool was_up;
  RowMarks marks;
  random_t word;
};

FirstTurn no_turn() {
#pragma HLS INLINE
  FirstTurn first;
  first.any = first.turns = first.was_up = false;
  first.lane = first.row = 0;
  first.field = 0;
  first.pull = 0;
  first.marks.clamp = first.marks.member = first.marks.begin = first.marks.last = 0;
  first.word = 0;
  return first;
}

sum_t push_of(const Parameters& parameters, pull_t pull) {
#pragma HLS INLINE
  return kPenalised ? sum_t(-sum_t(ap_int<kPenaltyBits + 1>(parameters.penalty) * pull)) : sum_t(0);
}

// Lanes draw or, when spins are loaded, report which of them are up.
FirstTurn draw_chunk(const field_t field[kLanes], const pull_t pull[kLanes],
                     const RowMarks marks[kLanes], word_t spins, const Cursor& c, bool loading,
                     const Parameters& parameters, random_t stream[kStreams][kRngWords]) {
#pragma HLS INLINE
  FirstTurn first = no_turn();
Draw_Lanes:
  for (unsigned up = 0; up < kLanes; ++up) {
    // Each lane is its own hardware; the lowest that flips wins.
#pragma HLS UNROLL
    const unsigned l = kLanes - 1 - up;
    const bool is_up = ((spins >> l) & 1u) != 0;
    const random_t word = stream[l][kRngWords - 1];
    const spin_t drawn = decide(parameters.beta, field[l], push_of(parameters, pull[l]), word);
    const bool flips = loading ? is_up : (drawn[0] != is_up && !marks[l].clamp[0]);
    const bool passes = marks[l].member[0] && !loading;
    if ((flips || passes) && l >= c.start.to_uint()) {
      first.any = true;
      first.turns = !passes || is_up;  // members are set down
      first.lane = l;
      first.field = field[l];
      first.pull = pull[l];
      first.was_up = is_up && !loading;
      first.marks = marks[l];
      if (loading) first.marks.member = 0;
      first.word = word;
    }
    if (!loading) step_stream(stream[l], 0);
  }
  first.row = c.chunk.to_uint() * kLanes + first.lane;
  return first;
}

// The best member so far, and after the last the one that is set up.
void note_member(Winner& winner, const FirstTurn& first, const Parameters& parameters) {
#pragma HLS INLINE
  const sum_t y =
      sum_t(ap_int<kBetaBits + 1>(parameters.beta) * first.field) + push_of(parameters, first.pull);
  const sum_t key = y + gumbel_noise(first.word);
  if (!first.marks.begin[0] && winner.key >= key) return;
  winner.key = key;
  winner.row = first.row;
  winner.field = first.field;
  winner.pull = first.pull;
}

FirstTurn settle_group(const Winner& winner, const Cursor& c) {
#pragma HLS INLINE
  FirstTurn first = no_turn();
  first.any = first.turns = true;
  first.lane = c.start.to_uint();
  first.row = winner.row.to_uint();
  first.field = winner.field;
  first.pull = winner.pull;
  return first;
}

// The replica's place and its pending flip after a pass. It stays with the last member of a group
// until that is settled.
Cursor advance(Cursor c, const FirstTurn& first, bool draws, unsigned last_chunk) {
#pragma HLS INLINE
  const bool stays = first.marks.member[0] && first.marks.last[0];
  const bool ends = draws && !stays && (!first.any || first.lane == kLanes - 1);
  const bool ends_sweep = ends && c.chunk == last_chunk;
  c.row = first.row;
  c.turned = first.turns ? 1 : 0;
  c.down = first.was_up ? 1 : 0;
  c.start = ends ? 0u : first.lane + (stays ? 0 : 1);
  if (ends) c.chunk = ends_sweep ? 0u : c.chunk.to_uint() + 1;
  if (ends_sweep) c.left = c.left - 1;
  c.settles = stays ? 1 : 0;
  c.opening = 0;
  c.finished = draws ? 0 : 1;
  return c;
}

}  // namespace
