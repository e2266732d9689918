// The flip kernel: as pbit_burst one call runs a burst of sweeps over a set of replicas; couplings
// and every replica's fields are on the chip, and the cost is in flips (docs/flips.md). Ordinary
// C++ as well.
#include "dense_calls.hpp"
#include "flip_sweep.hpp"
#include "memory.hpp"
#include "row_results.hpp"

namespace {

// At the beginning of a load every replica has one sweep to run; in a burst, those it does not
// skip.
void set_cursors(Cursor cursor[kMaxReplicas], const word_t* parameters, unsigned sweeps,
                 bool loading, unsigned first, unsigned replicas) {
Set_Cursors:
  for (unsigned r = 0; r < replicas; ++r) {
#pragma HLS PIPELINE II = 1
    const unsigned left_out =
        static_cast<unsigned>(parameters[r] >> kLeftOutBit) & ((1u << kLeftOutBits) - 1);
    Cursor c;
    c.left = loading ? 1u : sweeps > left_out ? sweeps - left_out : 0u;
    c.chunk = 0;
    c.start = 0;
    c.row = 0;
    c.turned = 0;
    c.down = 0;
    c.settles = 0;
    c.opening = 1;
    c.finished = 0;
    cursor[first + r] = c;
  }
}

}  // namespace

extern "C" void pbit_flips(const word_t* tables, const word_t* parameters, word_t* spins,
                           word_t* best, word_t* results, word_t* status, unsigned first,
                           unsigned replicas, unsigned sweeps, unsigned flags, word_t seed) {
  // clang-format off
#pragma HLS INTERFACE mode = m_axi port = tables bundle = gmem offset = slave max_widen_bitwidth = 64
  // clang-format on
#include "interface_pragmas.hpp"

  // What stays on the chip between calls: the image, how many of its rows are in use, f and g
  // of the state with all spins down, a product's weight and residuals at their start; states, and
  // their fields, partners, residuals and f where known.
  static coupling_t coupling[kPbits][kUnits][kUnitWords][kWordCouplings];
  static word_t product[kPairRows][kUnits];
  static field_t base[kChunks][kLanes];
  static RowMarks marks[kChunks][kLanes];
  static unsigned rows;
  static energy_t all_down;
  static unsigned shift;
  static violation_t broken;
  static FormItem item[kFormChunks][kLanes][kBanks];
  static residual_t start[kBanks][kStarts];
  static word_t ring[kMaxReplicas][kStateWords];
  static word_t best_ring[kMaxReplicas][kStateWords];
  static half_field_t field[kUnits][kMaxReplicas][kUnitCells];
  static count_t count[kUnits][kPairReplicas][kPairCells];
  static residual_t residual[kResidualCopies][kBanks][kBankWords];
  static Outcome outcome[kMaxReplicas];
  static spin_t known[kMaxReplicas];
  // What a burst sets up for itself.
  static Winner winner[kWinners];
  static Cursor cursor[kMaxReplicas];
  static random_t stream[kStreams][kRngWords];
  static Parameters parameter[kMaxReplicas];
  // A row of couplings is read per clock: each word is a separate memory, eight couplings wide.
#pragma HLS ARRAY_PARTITION variable = coupling type = complete dim = 2
#pragma HLS ARRAY_PARTITION variable = coupling type = complete dim = 3
#pragma HLS ARRAY_RESHAPE variable = coupling type = complete dim = 4
#pragma HLS BIND_STORAGE variable = coupling type = ram_2p latency = 2
#pragma HLS ARRAY_PARTITION variable = base type = complete dim = 2
#pragma HLS ARRAY_PARTITION variable = marks type = complete dim = 2
#pragma HLS AGGREGATE variable = marks
  // Every cell reads and writes its field of one replica per clock.
#pragma HLS ARRAY_PARTITION variable = field type = complete dim = 1
#pragma HLS ARRAY_PARTITION variable = field type = complete dim = 3
#pragma HLS BIND_STORAGE variable = field type = ram_2p impl = lutram
#pragma HLS ARRAY_PARTITION variable = product type = complete dim = 2
#pragma HLS BIND_STORAGE variable = product type = ram_2p latency = 2
#pragma HLS ARRAY_PARTITION variable = count type = complete dim = 1
#pragma HLS ARRAY_PARTITION variable = count type = complete dim = 3
#pragma HLS BIND_STORAGE variable = count type = ram_2p impl = lutram
#pragma HLS ARRAY_PARTITION variable = item type = complete dim = 2
#pragma HLS ARRAY_PARTITION variable = item type = complete dim = 3
#pragma HLS AGGREGATE variable = item
#pragma HLS ARRAY_PARTITION variable = start type = complete dim = 1
  // Every lane reads its row's residuals from a copy of its own.
#pragma HLS ARRAY_PARTITION variable = residual type = complete dim = 1
#pragma HLS ARRAY_PARTITION variable = residual type = complete dim = 2
#pragma HLS BIND_STORAGE variable = residual type = ram_2p
#pragma HLS ARRAY_PARTITION variable = ring type = complete dim = 2
#pragma HLS BIND_STORAGE variable = ring type = ram_2p
#pragma HLS ARRAY_PARTITION variable = best_ring type = complete dim = 2
#pragma HLS BIND_STORAGE variable = best_ring type = ram_2p
#pragma HLS AGGREGATE variable = outcome
#pragma HLS AGGREGATE variable = winner
#pragma HLS AGGREGATE variable = cursor
#pragma HLS BIND_STORAGE variable = cursor type = ram_2p impl = lutram
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
    if (replicas == 0 || replicas > kMaxReplicas || first > kMaxReplicas - replicas) {
      code = kBadReplicas;
    } else if ((new_image && !aligned(tables)) || (moves_spins && !aligned(spins)) ||
               ((flags & kStoreBest) != 0 && !aligned(best)) ||
               (with_burst && !(aligned(parameters) && aligned(results)))) {
      code = kBadPointer;
    } else {
      if (new_image) rows = rows_of(tables);
      if ((with_burst || new_image) && rows == 0) {
        code = kBadImage;
      } else {
        if (new_image) {
          all_down = tables[1] & 0xffffffffu;
          shift = static_cast<unsigned>(tables[1] >> kShiftBit) & ((1u << kShiftBits) - 1);
          load_rows(tables, coupling, product, base, marks, item, start);
          broken = kForms > 0 ? tables[1] >> kAllDownBit : 0ull;
          forget(known, 0, kMaxReplicas);
        }
        if ((flags & kLoadSpins) != 0) {
          load_states(spins, ring, first, replicas);
          forget(known, first, replicas);
        }
        if (with_burst) {
          load_parameters(parameters, parameter, first, replicas);
          seed_streams(stream, seed);
          const bool loads = !all_known(known, first, replicas);
        Load_And_Sweep:
          for (unsigned turn = loads ? 0 : 1; turn < 2; ++turn) {
            const bool loading = turn == 0;
            set_cursors(cursor, parameters, sweeps, loading, first, replicas);
            const unsigned chunks = loading ? kChunks : (rows + kLanes - 1) / kLanes;
            const FlipPlan plan = {loading, chunks - 1, all_down, shift, broken, first, replicas};
            if (loading) start_residuals(residual, start, first, replicas);
            run_rounds(plan, parameter, coupling, base, marks, item, residual, field, product,
                       count, ring, best_ring, winner, outcome, cursor, stream);
          }
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
