// The sweeps: rounds in which every unfinished replica passes once. Which replicas pass is decided
// before a slab of rounds begins, so that no control depends on the pipeline's results; a replica
// that finishes within a slab leaves its slots empty, which affects no stream and no other replica.
#pragma once

#include "flip_pass.hpp"
#include "memory.hpp"

namespace {

constexpr unsigned kSlab = 1024;  // slots, about

void pass_replica(const FlipPlan& plan, unsigned place, const Parameters& parameters,
                  const coupling_t coupling[kPbits][kUnits][kUnitWords][kWordCouplings],
                  const field_t base[kChunks][kLanes], const RowMarks marks[kChunks][kLanes],
                  const FormItem item[kFormChunks][kLanes][kBanks],
                  residual_t residual[kResidualCopies][kBanks][kBankWords],
                  half_field_t field[kUnits][kMaxReplicas][kUnitCells],
                  const word_t product[kPairRows][kUnits],
                  count_t count[kUnits][kPairReplicas][kPairCells],
                  word_t ring[kMaxReplicas][kStateWords], word_t best[kMaxReplicas][kStateWords],
                  Winner winner[kWinners], Outcome outcome[kMaxReplicas],
                  Cursor cursor[kMaxReplicas], random_t stream[kStreams][kRngWords]) {
#pragma HLS INLINE
  const Cursor c = cursor[place];
  if (c.finished[0]) return;
  const unsigned chunk = c.chunk.to_uint();
  const bool fresh = plan.loading && c.opening[0];
  half_field_t now[kUnits][kUnitCells];
#pragma HLS ARRAY_PARTITION variable = now type = complete dim = 0
Turn_Units:
  for (unsigned u = 0; u < kUnits; ++u) {
#pragma HLS UNROLL
    turn_cells(field[u], coupling[c.row.to_uint()][u], place, fresh, c.turned[0], c.down[0],
               now[u]);
  }
  count_t partners[kUnits][kUnitCells];
#pragma HLS ARRAY_PARTITION variable = partners type = complete dim = 0
Count_Units:
  for (unsigned u = 0; u < kUnits && kProducts != 0; ++u) {
#pragma HLS UNROLL
    count_partners(count[u], product[c.row.to_uint()][u], place, fresh, c.turned[0], c.down[0],
                   partners[u]);
  }
  word_t spins[kStateWords];
#pragma HLS ARRAY_PARTITION variable = spins type = complete
Read_Spins:
  for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS UNROLL
    spins[w] = ring[place][w];
  }
  const unsigned word = chunk / kWordChunks;
  const unsigned shift = chunk % kWordChunks * kLanes;
  field_t chosen[kLanes];
  pull_t pull[kLanes];
#pragma HLS ARRAY_PARTITION variable = chosen type = complete
#pragma HLS ARRAY_PARTITION variable = pull type = complete
Choose_Chunk:
  for (unsigned l = 0; l < kLanes; ++l) {
#pragma HLS UNROLL
    const unsigned row = chunk * kLanes + l;
    chosen[l] = base[chunk][l] + 2 * now[row / kUnitCells][row % kUnitCells].to_int();
    pull[l] = 0;
    if (kProducts != 0) {
      pull[l] = partners[row / kUnitCells][row % kUnitCells].to_uint() << plan.shift;
    }
    if (kForms > 0) {
      const bool is_up = !plan.loading && ((spins[word] >> (shift + l)) & 1u) != 0;
      pull[l] = pull[l] + pull_of_forms(item[chunk][l], residual[l], place, is_up);
    }
  }
  const bool draws = c.left != 0;  // otherwise only the pending flip is left to do
  FirstTurn first = no_turn();
  if (kOneHots != 0 && c.settles[0]) {
    first = settle_group(winner[place], c);
  } else if (draws) {
    first = draw_chunk(chosen, pull, marks[chunk], spins[word] >> shift, c, plan.loading,
                       parameters, stream);
  }
  if (kOneHots != 0 && first.marks.member[0]) note_member(winner[place], first, parameters);
  if (kForms > 0 && first.turns) {
    turn_residuals(residual, item[first.row / kLanes][first.row % kLanes], place, first.was_up);
  }
  // A spin that flips changes f by 2 s F with its old s.
  Outcome o = outcome[place];
  if (fresh) o.f = plan.all_down;
  const energy_t step = energy_t(first.field) << 1;
  if (first.turns) o.f = first.was_up ? energy_t(o.f + step) : energy_t(o.f - step);
  if (fresh || !kPenalised) o.g = plan.broken;
  if (first.turns && kPenalised) {
    o.g = first.was_up ? violation_t(o.g - first.pull) : violation_t(o.g + first.pull);
  }
  const bool had_one = !c.opening[0] && o.found[0];
  // Between its members and its end a group has no state.
  const bool whole = !plan.loading && !first.marks.member[0];
  const bool better = whole && o.g == 0 && (!had_one || o.f < o.best_f);
  if (better) o.best_f = o.f;
  o.found = had_one || better ? 1 : 0;
  outcome[place] = o;
  // Loaded spins are in the ring already.
  if (first.turns && !plan.loading) spins[first.row / 64] ^= 1ull << first.row % 64;
Write_Spins:
  for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS UNROLL
    ring[place][w] = spins[w];
    if (better) best[place][w] = spins[w];
  }
  cursor[place] = advance(c, first, draws, plan.last_chunk);
}

// All passes of a burst, or of a load.
void run_rounds(const FlipPlan& plan, const Parameters parameter[kMaxReplicas],
                const coupling_t coupling[kPbits][kUnits][kUnitWords][kWordCouplings],
                const field_t base[kChunks][kLanes], const RowMarks marks[kChunks][kLanes],
                const FormItem item[kFormChunks][kLanes][kBanks],
                residual_t residual[kResidualCopies][kBanks][kBankWords],
                half_field_t field[kUnits][kMaxReplicas][kUnitCells],
                const word_t product[kPairRows][kUnits],
                count_t count[kUnits][kPairReplicas][kPairCells],
                word_t ring[kMaxReplicas][kStateWords], word_t best[kMaxReplicas][kStateWords],
                Winner winner[kWinners], Outcome outcome[kMaxReplicas], Cursor cursor[kMaxReplicas],
                random_t stream[kStreams][kRngWords]) {
  place_t list[kMaxReplicas];
  unsigned live = plan.replicas;
List_All:
  for (unsigned r = 0; r < plan.replicas; ++r) {
#pragma HLS PIPELINE II = 1
    list[r] = plan.first + r;
  }
Slabs:
  while (live != 0) {
    const unsigned period = live < kDepth ? kDepth : live;
    const unsigned slots = kSlab / period * period;  // whole rounds
    unsigned at = 0;
  Pass_Slots:
    for (unsigned s = 0; s < slots; ++s) {
      // A replica returns after `period` >= kDepth iterations.
#pragma HLS PIPELINE II = 1
#pragma HLS DEPENDENCE variable = field type = inter false
#pragma HLS DEPENDENCE variable = count type = inter false
#pragma HLS DEPENDENCE variable = residual type = inter false
#pragma HLS DEPENDENCE variable = ring type = inter false
#pragma HLS DEPENDENCE variable = best type = inter false
#pragma HLS DEPENDENCE variable = winner type = inter false
#pragma HLS DEPENDENCE variable = outcome type = inter false
#pragma HLS DEPENDENCE variable = cursor type = inter false
      if (at < live) {
        const unsigned place = list[at].to_uint();
        pass_replica(plan, place, parameter[place], coupling, base, marks, item, residual, field,
                     product, count, ring, best, winner, outcome, cursor, stream);
      }
      at = at + 1 == period ? 0 : at + 1;
    }
    unsigned kept = 0;
  Keep_Unfinished:
    for (unsigned k = 0; k < live; ++k) {
#pragma HLS PIPELINE II = 1
      const place_t place = list[k];
      if (cursor[place.to_uint()].finished[0]) continue;
      list[kept] = place;
      ++kept;
    }
    live = kept;
  }
}

}  // namespace
