// The sweep: row after row, and for each row one replica per clock and lane. The next row's tables
// are built while this one is in use.
#pragma once

#include "random_stream.hpp"
#include "row_pass.hpp"
#include "row_tables.hpp"

namespace {

// The parameters of a burst.
struct RowPlan {
  unsigned rows;    // in use
  word_t measured;  // steps at the beginning that add up f instead of flipping spins
  bool only_measure;
  unsigned first, replicas;
};

// Sets or clears a spin.
void put_spin(word_t state[kStateWords], unsigned row, bool up) {
#pragma HLS INLINE
  const word_t bit = 1ull << (row % 64);
  state[row / 64] = up ? state[row / 64] | bit : state[row / 64] & ~bit;
}

// All replicas pass the next row.
void pass_row(const RowPlan& plan, word_t step, const RowHead& head,
              const entry_t table[kGroups][kFoldedEntries], word_t ring[kMaxReplicas][kStateWords],
              word_t best[kMaxReplicas][kStateWords], random_t stream[kStreams][kRngWords],
              const Parameters parameter[kMaxReplicas], Outcome outcome[kMaxReplicas],
              residual_t residual[kLanes][kBanks][kBankWords], Winner winner[kWinners]) {
  static unsigned row;
  row = next_row(row, step == 0, plan.rows);
  const bool measuring = step < plan.measured;
  const bool whole = measuring && row + 1 == plan.rows;  // f and g are complete
  const bool settles = head.settle[0] && !measuring;
  // Until its group is settled a replica has no state.
  const bool takes_best = measuring ? whole && plan.only_measure : !head.member[0];
  const unsigned first = plan.first, replicas = plan.replicas;
  const unsigned first_slot = first / kLanes;
  const unsigned slots = (first + replicas - 1) / kLanes - first_slot + 1;
  const unsigned period = slots < kDepth ? kDepth : slots;
Pass_Slots:
  for (unsigned s = 0; s < period; ++s) {
    // One replica per clock and lane; a replica returns after `period` >= kDepth iterations.
#pragma HLS PIPELINE II = 1
#pragma HLS DEPENDENCE variable = ring type = inter false
#pragma HLS DEPENDENCE variable = outcome type = inter false
#pragma HLS DEPENDENCE variable = residual type = inter false
#pragma HLS DEPENDENCE variable = winner type = inter false
  Pass_Lanes:
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      // Each lane is its own hardware.
#pragma HLS UNROLL
      const unsigned slot = first_slot + s;
      const unsigned place = slot * kLanes + lane;
      if (s >= slots || place < first || place - first >= replicas) continue;
      const random_t word = stream[lane][kRngWords - 1];
      if (!measuring) step_stream(stream[lane], 0);
      const Parameters& own = parameter[place];
      Pass pass =
          pass_replica(ring[place], table, head, row, measuring, own, word, residual[lane], slot);
      if (measuring || pass.spin[0] != pass.old_up) {
        keep_residuals(residual[lane], head, pass.constraint, slot, pass.spin[0]);
      }
      unsigned turned = row;
      if (kOneHots != 0 && head.member[0] && !measuring) {
        const sum_t key = sum_t(ap_int<kBetaBits + 1>(own.beta) * pass.field) + pass.push;
        note_member(winner[place], head, row, key + gumbel_noise(word), pass.field, pass.pull);
      }
      if (kOneHots != 0 && settles) {
        const Winner& w = winner[place];
        turned = w.row.to_uint();
        pass.spin = 1;
        pass.f_step = -(energy_t(w.field) << 1);
        pass.g_step = w.pull;
        settle_residuals(residual[lane], w, slot);
      }
      Outcome o = outcome[place];
      const bool fresh = measuring && row == 0;
      const energy_t f = (fresh ? energy_t(0) : o.f) + pass.f_step;
      o.f = whole ? energy_t(f >> 1) : f;
      const g_step_t g = (fresh ? g_step_t(0) : g_step_t(o.g)) + pass.g_step;
      o.g = kPenalised ? violation_t(whole ? g_step_t(g >> 1) : g) : violation_t(0);
      const bool had_one = step != 0 && o.found[0];
      const bool better = takes_best && o.g == 0 && (!had_one || o.f < o.best_f);
      if (better) o.best_f = o.f;
      o.found = had_one || better ? 1 : 0;
      outcome[place] = o;
      put_spin(ring[place], turned, pass.spin[0]);
      if (better) {
      Copy_Best:
        for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS UNROLL
          best[place][w] = ring[place][w];
        }
      }
    }
  }
}

// Runs `sweeps` sweeps over all replicas, after a measuring pass if f is not known or `sweeps` is
// 0.
void run_rows(const word_t* image, const RowPlan& plan, unsigned sweeps,
              word_t ring[kMaxReplicas][kStateWords], word_t best[kMaxReplicas][kStateWords],
              random_t stream[kStreams][kRngWords], const Parameters parameter[kMaxReplicas],
              Outcome outcome[kMaxReplicas], residual_t residual[kLanes][kBanks][kBankWords],
              Winner winner[kWinners]) {
  const word_t steps = static_cast<word_t>(sweeps) * plan.rows + plan.measured;
Row_Steps:
  for (word_t step = 0; step < steps; ++step) {
    // Reading and building overlap with the passes of the previous row; the tool double-buffers the
    // tables between them.
#pragma HLS DATAFLOW
    entry_t table[kGroups][kFoldedEntries];
#pragma HLS ARRAY_PARTITION variable = table type = complete dim = 1
#pragma HLS BIND_STORAGE variable = table type = ram_2p impl = lutram
    RowHead head;
    fetch_row(image, step == 0, plan.rows, head, table);
    pass_row(plan, step, head, table, ring, best, stream, parameter, outcome, residual, winner);
  }
}

}  // namespace
