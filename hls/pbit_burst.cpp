// The kernel: one call runs a burst of sweeps over a set of replicas (docs/kernel.md).
// It is ordinary C++ as well: the same functions are the simulation, the golden model of the RTL
// kernel and what software emulation runs.
#include "load_tables.hpp"
#include "memory.hpp"
#include "ring_results.hpp"
#include "sweep_ring.hpp"
#include "types.hpp"

extern "C" void pbit_burst(const word_t* tables, const word_t* parameters, word_t* spins,
                           word_t* best, word_t* results, word_t* status, unsigned first,
                           unsigned replicas, unsigned sweeps, unsigned flags, word_t seed) {
  // One AXI master for all buffers: loads, sweeps and stores follow each other, so more would be
  // idle.
  // clang-format off
#pragma HLS INTERFACE mode = m_axi port = tables bundle = gmem offset = slave max_widen_bitwidth = 64
  // clang-format on
#include "interface_pragmas.hpp"

  // What stays on the chip between calls: tables and states.
  static entry_t table[kTiles][kTilePbits][kTables][kEntries];
  static spin_t clamp[kPbits];
  static word_t ring[kMaxReplicas][kStateWords];
  // Every table is a separate memory (32 words of LUTRAM), so that all are read at once.
#pragma HLS ARRAY_PARTITION variable = table type = complete dim = 1
#pragma HLS ARRAY_PARTITION variable = table type = complete dim = 2
#pragma HLS ARRAY_PARTITION variable = table type = complete dim = 3
#pragma HLS BIND_STORAGE variable = table type = ram_2p impl = lutram
#pragma HLS ARRAY_PARTITION variable = clamp type = complete
  // A state is read and written in one clock: one block RAM per 64 spins, two ports.
#pragma HLS ARRAY_PARTITION variable = ring type = complete dim = 2
#pragma HLS BIND_STORAGE variable = ring type = ram_2p impl = bram

  // What a burst sets up for itself; the best states can be read back later.
  static word_t best_ring[kMaxReplicas][kStateWords];
  static random_t stream[kPbits][kRngWords];
  static Parameters parameter[kMaxReplicas];
  // What it reports for each replica: f, g, and the lowest f with g = 0, if one was found.
  static energy_t last_f[kMaxReplicas];
  static energy_t best_f[kMaxReplicas];
  static violation_t last_g[kMaxReplicas];
  static spin_t found[kMaxReplicas];
  // Like the ring.
#pragma HLS ARRAY_PARTITION variable = best_ring type = complete dim = 2
#pragma HLS BIND_STORAGE variable = best_ring type = ram_2p impl = bram
  // Every stream steps every clock: registers.
#pragma HLS ARRAY_PARTITION variable = stream type = complete dim = 1
#pragma HLS ARRAY_PARTITION variable = stream type = complete dim = 2

  if (!aligned(status)) return;  // nowhere to report it
  const bool moves_spins = (flags & (kLoadSpins | kStoreSpins)) != 0;
  const bool with_burst = (flags & kNoBurst) == 0;
  unsigned code = kOk;
  if ((flags & ~kAllFlags) != 0) {
    code = kBadFlags;
  } else if ((flags & kDescribe) == 0) {
    if (replicas == 0 || replicas > kMaxReplicas || first > kMaxReplicas - replicas) {
      code = kBadReplicas;
    } else if (((flags & kLoadTables) != 0 && !aligned(tables)) ||
               (moves_spins && !aligned(spins)) || ((flags & kStoreBest) != 0 && !aligned(best)) ||
               (with_burst && !(aligned(parameters) && aligned(results)))) {
      code = kBadPointer;
    } else {
      if ((flags & kLoadTables) != 0) load_tables(tables, table, clamp);
      if ((flags & kLoadSpins) != 0) load_states(spins, ring, first, replicas);
      if (with_burst) {
        load_parameters(parameters, parameter, first, replicas);
        seed_streams(stream, seed);
        run_ring(ring, best_ring, table, clamp, stream, parameter, last_f, best_f, last_g, found,
                 first, replicas, sweeps);
        store_results(results, last_f, best_f, last_g, found, first, replicas);
      }
      if ((flags & kStoreSpins) != 0) {
        store_states(spins, ring, found, false, first, replicas);
      }
      if ((flags & kStoreBest) != 0) {
        store_states(best, best_ring, found, true, first, replicas);
      }
    }
  }
  store_status(status, code);
}
