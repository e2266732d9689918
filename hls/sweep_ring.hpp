// The sweep ring: replicas circulate through an array in which every p-bit exists in space. One
// iteration takes one replica through all colour stages, so that with as many replicas as the
// pipeline is deep one replica-sweep is finished every clock.
#pragma once

#include "pbit.hpp"
#include "random_stream.hpp"
#include "types.hpp"

namespace {

// Spins as wires; the slot past the last p-bit is what an empty table slot listens to.
struct Vector {
  spin_t spin[kPbits + 1];
};

Vector unpack(const word_t words[kStateWords]) {
#pragma HLS INLINE
  Vector v;
Unpack_Spins:
  for (unsigned p = 0; p < kPbits; ++p) {
#pragma HLS UNROLL
    v.spin[p] = (words[p / 64] >> (p % 64)) & 1u;
  }
  v.spin[kPbits] = 0;
  return v;
}

void pack(const Vector& v, word_t words[kStateWords]) {
#pragma HLS INLINE
Pack_Words:
  for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS UNROLL
    word_t word = 0;
  Pack_Spins:
    for (unsigned i = 0; i < 64; ++i) {
#pragma HLS UNROLL
      if (64 * w + i < kPbits) word |= static_cast<word_t>(v.spin[64 * w + i][0]) << i;
    }
    words[w] = word;
  }
}

// The five (or fewer) neighbour spins that address each table of a p-bit.
void gather(const Vector& v, unsigned p, address_t address[kTables]) {
#pragma HLS INLINE
Gather_Tables:
  for (unsigned t = 0; t < kTables; ++t) {
#pragma HLS UNROLL
    unsigned bits = 0;
  Gather_Slots:
    for (unsigned b = 0; b < kAddressBits; ++b) {
#pragma HLS UNROLL
      bits |= static_cast<unsigned>(v.spin[kNeighbour[p][t * kAddressBits + b]][0]) << b;
    }
    address[t] = bits;
  }
}

ap_int<3> chain_sum(const Vector& v, unsigned p) {
#pragma HLS INLINE
  ap_int<3> sum = 0;
Chain_Links:
  for (unsigned k = 0; k < 2; ++k) {
#pragma HLS UNROLL
    const unsigned other = kLink[p][k];
    if (other != kPbits) sum += v.spin[other][0] ? 1 : -1;
  }
  return sum;
}

violation_t broken_links(const Vector& v) {
#pragma HLS INLINE
  unsigned broken = 0;
Count_Links:
  for (unsigned p = 0; p + kLogical < kPbits; ++p) {
    // A population count; HLS balances the additions.
#pragma HLS UNROLL
    broken += v.spin[p] != v.spin[p + kLogical] ? 1 : 0;
  }
  return 2 * broken;
}

// One sweep of one replica. p-bits come in the order of their colours and those of one colour do
// not see each other, so updating in place is the same as updating a colour at once, and HLS finds
// the stages from the data dependences: nothing here knows how many colours there are.
energy_t sweep_replica(Vector& v, const entry_t table[kTiles][kTilePbits][kTables][kEntries],
                       const spin_t clamp[kPbits], random_t stream[kPbits][kRngWords],
                       const Parameters& parameters, bool hold) {
#pragma HLS INLINE
  energy_t f = 0;
Sweep_Pbits:
  for (unsigned m = 0; m < kPbits; ++m) {
    // Every p-bit is hardware of its own.
#pragma HLS UNROLL
    const unsigned p = kMember[m];
    address_t address[kTables];
#pragma HLS ARRAY_PARTITION variable = address type = complete
    gather(v, p, address);
    const random_t word = stream[p][kRngWords - 1];
    step_stream(stream[p], 0);
    const spin_t keep = hold ? spin_t(1) : clamp[p];
    const Update update =
        update_pbit(table[p / kTilePbits][p % kTilePbits], address, kEarlyTables[p], kUsedTables[p],
                    chain_sum(v, p), parameters, word, v.spin[p], keep);
    v.spin[p] = update.spin;
    f += update.energy;  // HLS balances these additions into a tree
  }
  return f;
}

// Runs `sweeps` sweeps over all replicas; none means one pass that only measures.
void run_ring(word_t ring[kMaxReplicas][kStateWords], word_t best[kMaxReplicas][kStateWords],
              const entry_t table[kTiles][kTilePbits][kTables][kEntries],
              const spin_t clamp[kPbits], random_t stream[kPbits][kRngWords],
              const Parameters parameter[kMaxReplicas], Outcome outcome[kMaxReplicas],
              unsigned first, unsigned replicas, unsigned sweeps) {
  const bool hold = sweeps == 0;
  const word_t passes = hold ? 1 : sweeps;
  // A replica returns after `period` iterations; bubbles fill the round when replicas are few, so
  // that results never depend on the depth of the pipeline.
  const unsigned period = replicas < kDepth ? kDepth : replicas;
  const word_t iterations = passes * period;
  unsigned r = 0;
  bool first_pass = true;
Ring_Slots:
  for (word_t i = 0; i < iterations; ++i) {
    // One replica-sweep a clock.
#pragma HLS PIPELINE II = 1
    // A replica is read again `period` >= kDepth iterations after it was written: with this HLS
    // may let that many iterations overlap.
#pragma HLS DEPENDENCE variable = ring type = inter direction = RAW distance = kDepth true
#pragma HLS DEPENDENCE variable = outcome type = inter direction = RAW distance = kDepth true
    if (r < replicas) {
      const unsigned place = first + r;
      Vector v = unpack(ring[place]);
#pragma HLS ARRAY_PARTITION variable = v.spin type = complete
      Outcome o = outcome[place];
      o.f = sweep_replica(v, table, clamp, stream, parameter[place], hold);
      o.g = broken_links(v);
      const bool had_one = !first_pass && o.found[0];
      const bool better = o.g == 0 && (!had_one || o.f < o.best_f);
      word_t words[kStateWords];
#pragma HLS ARRAY_PARTITION variable = words type = complete
      pack(v, words);
    Write_Back:
      for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS UNROLL
        ring[place][w] = words[w];
        if (better) best[place][w] = words[w];
      }
      if (better) o.best_f = o.f;
      o.found = had_one || better ? 1 : 0;
      outcome[place] = o;
    }
    ++r;
    if (r == period) {
      r = 0;
      first_pass = false;
    }
  }
}

}  // namespace
