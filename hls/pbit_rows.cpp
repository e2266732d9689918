// The row kernel: as pbit_burst one call runs a burst of sweeps over a set of replicas, but the
// couplings stay in memory and stream by, row after row (docs/rows.md). Ordinary C++ as well.
#include "dense_calls.hpp"
#include "memory.hpp"
#include "row_results.hpp"
#include "row_sweep.hpp"
#include "row_types.hpp"

extern "C" void pbit_rows(const word_t* tables, const word_t* parameters, word_t* spins,
                          word_t* best, word_t* results, word_t* status, unsigned first,
                          unsigned replicas, unsigned sweeps, unsigned flags, word_t seed) {
  // The image streams by all the time, four words per beat, on its own bus; everything else shares
  // one, as in the ring.
  // clang-format off
#pragma HLS INTERFACE mode = m_axi port = tables bundle = rows offset = slave max_widen_bitwidth = 256 max_read_burst_length = 64 num_read_outstanding = 16
  // clang-format on
#include "interface_pragmas.hpp"

  // What stays on the chip between calls: how many rows the image has, states, and their f and g
  // where known.
  static unsigned rows;
  static word_t ring[kMaxReplicas][kStateWords];
  static word_t best_ring[kMaxReplicas][kStateWords];
  static Outcome outcome[kMaxReplicas];
  static spin_t known[kMaxReplicas];
  // Residuals are valid wherever f is.
  static residual_t residual[kLanes][kBanks][kBankWords];
  static Winner winner[kWinners];
  // What a burst sets up for itself.
  static random_t stream[kStreams][kRngWords];
  static Parameters parameter[kMaxReplicas];
  // Place p belongs to lane p mod kLanes; a lane reads a whole state per clock.
#pragma HLS ARRAY_PARTITION variable = ring type = cyclic factor = kLanes dim = 1
#pragma HLS ARRAY_PARTITION variable = ring type = complete dim = 2
#pragma HLS BIND_STORAGE variable = ring type = ram_2p
#pragma HLS ARRAY_PARTITION variable = best_ring type = cyclic factor = kLanes dim = 1
#pragma HLS ARRAY_PARTITION variable = best_ring type = complete dim = 2
#pragma HLS BIND_STORAGE variable = best_ring type = ram_2p
#pragma HLS ARRAY_PARTITION variable = outcome type = cyclic factor = kLanes dim = 1
#pragma HLS ARRAY_PARTITION variable = parameter type = cyclic factor = kLanes dim = 1
  // Banks side by side, each with separate residuals for a lane's replicas.
#pragma HLS ARRAY_PARTITION variable = residual type = complete dim = 1
#pragma HLS ARRAY_PARTITION variable = residual type = complete dim = 2
#pragma HLS BIND_STORAGE variable = residual type = ram_2p
#pragma HLS ARRAY_PARTITION variable = winner type = cyclic factor = kLanes dim = 1
#pragma HLS ARRAY_PARTITION variable = stream type = complete dim = 1
#pragma HLS ARRAY_PARTITION variable = stream type = complete dim = 2

  if (!aligned(status)) return;  // nowhere to report it
  const bool moves_spins = (flags & (kLoadSpins | kStoreSpins)) != 0;
  const bool with_burst = (flags & kNoBurst) == 0;
  const bool new_image = (flags & kLoadTables) != 0;
  unsigned code = kOk;
  if ((flags & ~kAllFlags) != 0) {
    code = kBadFlags;
  } else if ((flags & kDescribe) == 0) {
    const bool looks_at_image = with_burst || new_image;
    if (replicas == 0 || replicas > kMaxReplicas || first > kMaxReplicas - replicas) {
      code = kBadReplicas;
    } else if ((looks_at_image && !aligned(tables)) || (moves_spins && !aligned(spins)) ||
               ((flags & kStoreBest) != 0 && !aligned(best)) ||
               (with_burst && !(aligned(parameters) && aligned(results)))) {
      code = kBadPointer;
    } else {
      if (new_image) rows = rows_of(tables);
      if (looks_at_image && rows == 0) {
        code = kBadImage;
      } else {
        if (new_image) forget(known, 0, kMaxReplicas);
        if ((flags & kLoadSpins) != 0) {
          load_states(spins, ring, first, replicas);
          forget(known, first, replicas);
        }
        if (with_burst) {
          load_parameters(parameters, parameter, first, replicas);
          seed_streams(stream, seed);
          const bool measure = !all_known(known, first, replicas) || sweeps == 0;
          const RowPlan plan = {rows, measure ? rows : 0u, sweeps == 0, first, replicas};
          run_rows(tables, plan, sweeps, ring, best_ring, stream, parameter, outcome, residual,
                   winner);
          store_results(results, outcome, first, replicas);
        }
        if ((flags & kStoreSpins) != 0) store_states(spins, ring, outcome, false, first, replicas);
        if ((flags & kStoreBest) != 0)
          store_states(best, best_ring, outcome, true, first, replicas);
      }
    }
  }
  store_status(status, code);
}
