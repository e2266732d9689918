// The sweep ring: replicas circulate through an array with hardware for every p-bit. One iteration
// takes one replica through all colour stages, so with as many replicas as the pipeline is deep one
// replica-sweep is finished every clock.
#pragma once

#include "pbit.hpp"
#include "random_stream.hpp"
#include "types.hpp"

namespace {

// Spins are wires; an empty table slot reads the element past the last p-bit.
constexpr unsigned kWires = kPbits + 1;

void unpack(const word_t words[kStateWords], spin_t spin[kWires]) {
#pragma HLS INLINE
Unpack_Spins:
  for (unsigned p = 0; p < kPbits; ++p) {
#pragma HLS UNROLL
    spin[p] = (words[p / 64] >> (p % 64)) & 1u;
  }
  spin[kPbits] = 0;
}

void pack(const spin_t spin[kWires], word_t words[kStateWords]) {
#pragma HLS INLINE
Pack_Words:
  for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS UNROLL
    word_t word = 0;
  Pack_Spins:
    for (unsigned i = 0; i < 64; ++i) {
#pragma HLS UNROLL
      if (64 * w + i < kPbits) word |= static_cast<word_t>(spin[64 * w + i].to_uint()) << i;
    }
    words[w] = word;
  }
}

// The five (or fewer) neighbour spins that address each table of a p-bit.
void gather(const spin_t spin[kWires], unsigned p, address_t address[kTables]) {
#pragma HLS INLINE
Gather_Tables:
  for (unsigned t = 0; t < kTables; ++t) {
#pragma HLS UNROLL
    unsigned bits = 0;
  Gather_Slots:
    for (unsigned b = 0; b < kAddressBits; ++b) {
#pragma HLS UNROLL
      bits |= spin[kNeighbour[p][t * kAddressBits + b]].to_uint() << b;
    }
    address[t] = bits;
  }
}

ap_int<3> chain_sum(const spin_t spin[kWires], unsigned p) {
#pragma HLS INLINE
  ap_int<3> sum = 0;
Chain_Links:
  for (unsigned k = 0; k < 2; ++k) {
#pragma HLS UNROLL
    const unsigned other = kLink[p][k];
    if (other != kPbits) sum += spin[other].to_bool() ? 1 : -1;
  }
  return sum;
}

violation_t broken_links(const spin_t spin[kWires]) {
#pragma HLS INLINE
  unsigned broken = 0;
Count_Links:
  for (unsigned p = 0; p + kLogical < kPbits; ++p) {
    // A population count; HLS balances the additions.
#pragma HLS UNROLL
    broken += spin[p] != spin[p + kLogical] ? 1 : 0;
  }
  return 2 * broken;
}

// The members from kBegin on, at most kGroupPbits: a separate function, so that none has more
// bodies than HLS can schedule in reasonable time. p-bits come in the order of their colours and
// those of one colour do not see each other, so updating in place is the same as updating a colour
// at once.
template <unsigned kBegin>
energy_t update_group(spin_t spin[kWires],
                      const entry_t table[kTiles][kTilePbits][kTables][kEntries],
                      const spin_t clamp[kPbits], const random_t word[kPbits],
                      Parameters parameters, bool hold) {
#pragma HLS INLINE off
#pragma HLS PIPELINE II = 1
  constexpr unsigned kEnd = kBegin + kGroupPbits < kPbits ? kBegin + kGroupPbits : kPbits;
  energy_t f = 0;
Group_Pbits:
  for (unsigned m = kBegin; m < kEnd; ++m) {
    // Every p-bit is its own hardware.
#pragma HLS UNROLL
    const unsigned p = kMember[m];
    address_t address[kTables];
#pragma HLS ARRAY_PARTITION variable = address type = complete
    gather(spin, p, address);
    const spin_t keep = hold ? spin_t(1) : clamp[p];
    const Update update =
        update_pbit(table[p / kTilePbits][p % kTilePbits], address, kEarlyTables[p], kUsedTables[p],
                    chain_sum(spin, p), parameters, word[p], spin[p], keep);
    spin[p] = update.spin;
    f += update.energy;  // HLS balances these additions into a tree
  }
  return f;
}

// All groups from kBegin on, one after the other.
template <unsigned kBegin, bool kAny = (kBegin < kPbits)>
struct Groups {
  static energy_t update(spin_t spin[kWires],
                         const entry_t table[kTiles][kTilePbits][kTables][kEntries],
                         const spin_t clamp[kPbits], const random_t word[kPbits],
                         const Parameters& parameters, bool hold) {
#pragma HLS INLINE
    const energy_t here = update_group<kBegin>(spin, table, clamp, word, parameters, hold);
    return here + Groups<kBegin + kGroupPbits>::update(spin, table, clamp, word, parameters, hold);
  }
};
template <unsigned kBegin>
struct Groups<kBegin, false> {
  static energy_t update(spin_t*, const entry_t (*)[kTilePbits][kTables][kEntries], const spin_t*,
                         const random_t*, const Parameters&, bool) {
#pragma HLS INLINE
    return 0;
  }
};

// One sweep of one replica. HLS finds the colour stages from the data dependences: nothing here
// knows how many there are. The streams step here and not in the groups: a call returns after its
// whole latency, but a stream has to step every clock.
energy_t sweep_replica(spin_t spin[kWires],
                       const entry_t table[kTiles][kTilePbits][kTables][kEntries],
                       const spin_t clamp[kPbits], random_t stream[kPbits][kRngWords],
                       const Parameters& parameters, bool hold) {
#pragma HLS INLINE
  random_t word[kPbits];
#pragma HLS ARRAY_PARTITION variable = word type = complete
Step_Streams:
  for (unsigned p = 0; p < kPbits; ++p) {
#pragma HLS UNROLL
    word[p] = stream[p][kRngWords - 1];
    step_stream(stream[p], 0);
  }
  return Groups<0>::update(spin, table, clamp, word, parameters, hold);
}

// Runs `sweeps` sweeps over all replicas; none means one pass that only measures.
void run_ring(word_t ring[kMaxReplicas][kStateWords], word_t best[kMaxReplicas][kStateWords],
              const entry_t table[kTiles][kTilePbits][kTables][kEntries],
              const spin_t clamp[kPbits], random_t stream[kPbits][kRngWords],
              const Parameters parameter[kMaxReplicas], energy_t last_f[kMaxReplicas],
              energy_t best_f[kMaxReplicas], violation_t last_g[kMaxReplicas],
              spin_t found[kMaxReplicas], unsigned first, unsigned replicas, unsigned sweeps) {
  const bool hold = sweeps == 0;
  const word_t passes = hold ? 1 : sweeps;
  // A replica returns after `period` iterations; bubbles fill the round when replicas are few, so
  // that results never depend on the depth of the pipeline.
  const unsigned period = replicas < kPeriod ? kPeriod : replicas;
  const word_t iterations = passes * period;
  unsigned r = 0;
  bool first_pass = true;
Ring_Slots:
  for (word_t i = 0; i < iterations; ++i) {
    // One replica-sweep per clock.
#pragma HLS PIPELINE II = 1
    // A replica is read again `period` >= kPeriod iterations after it was written, so HLS may
    // overlap that many iterations.
#pragma HLS DEPENDENCE variable = ring type = inter direction = RAW distance = kPeriod true
#pragma HLS DEPENDENCE variable = best_f type = inter direction = RAW distance = kPeriod true
#pragma HLS DEPENDENCE variable = found type = inter direction = RAW distance = kPeriod true
    if (r < replicas) {
      const unsigned place = first + r;
      spin_t spin[kWires];
#pragma HLS ARRAY_PARTITION variable = spin type = complete
      unpack(ring[place], spin);
      const energy_t f = sweep_replica(spin, table, clamp, stream, parameter[place], hold);
      const violation_t g = broken_links(spin);
      const bool had_one = !first_pass && found[place].to_bool();
      const bool better = g == 0 && (!had_one || f < best_f[place]);
      word_t words[kStateWords];
#pragma HLS ARRAY_PARTITION variable = words type = complete
      pack(spin, words);
    Write_Back:
      for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS UNROLL
        ring[place][w] = words[w];
        if (better) best[place][w] = words[w];
      }
      last_f[place] = f;
      last_g[place] = g;
      if (better) best_f[place] = f;
      found[place] = had_one || better ? 1 : 0;
    }
    ++r;
    if (r == period) {
      r = 0;
      first_pass = false;
    }
  }
}

}  // namespace
