// Everything that crosses the memory interface: load image, states, parameters, results, status.
// All loops run over consecutive words, so that HLS turns them into long AXI bursts.
#pragma once

#ifndef __SYNTHESIS__
#include <cstdint>
#endif

#include "types.hpp"

namespace {

// Whether a buffer begins at a whole word. Vitis HLS has no integer for a pointer and drops the
// lowest three bits on the way to the bus; wherever the kernel is plain C++ they are refused.
bool aligned(const word_t* buffer) {
#ifdef __SYNTHESIS__
  return true;
#else
  return reinterpret_cast<std::uintptr_t>(buffer) % sizeof(word_t) == 0;
#endif
}

// A record is fetched in one burst, then its entries are written one at a time: every table is a
// memory of its own, and each write an iteration makes is a decoder for all of them.
void load_tables(const word_t* tables, entry_t table[kTiles][kTilePbits][kTables][kEntries],
                 spin_t clamp[kPbits]) {
Load_Pbits:
  for (unsigned p = 0; p < kPbits; ++p) {
    word_t record[kPbitWords];
  Fetch_Record:
    for (unsigned w = 0; w < kPbitWords; ++w) {
#pragma HLS PIPELINE II = 1
      record[w] = tables[p * kPbitWords + w];
    }
  Load_Tables:
    for (unsigned t = 0; t < kTables; ++t) {
    Load_Entries:
      for (unsigned e = 0; e < kEntries; ++e) {
#pragma HLS PIPELINE II = 1
        const word_t word = record[t * kTableWords + e / 4];
        table[p / kTilePbits][p % kTilePbits][t][e] = (word >> (16 * (e % 4))) & 0xffffu;
      }
    }
    clamp[p] = record[kPbitWords - 1] & 1u;
  }
}

void load_states(const word_t* spins, word_t ring[kMaxReplicas][kStateWords], unsigned first,
                 unsigned replicas) {
Load_States:
  for (unsigned r = 0; r < replicas; ++r) {
  Load_State_Words:
    for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS PIPELINE II = 1
      ring[first + r][w] = spins[r * kStateWords + w];
    }
  }
}

void load_parameters(const word_t* parameters, Parameters parameter[kMaxReplicas], unsigned first,
                     unsigned replicas) {
Load_Parameters:
  for (unsigned r = 0; r < replicas; ++r) {
#pragma HLS PIPELINE II = 1
    const word_t word = parameters[r];
    parameter[first + r].beta = word & 0xffffffffu;
    parameter[first + r].penalty = (word >> 32) & 0xffffu;
  }
}

void store_results(word_t* results, const energy_t last_f[kMaxReplicas],
                   const energy_t best_f[kMaxReplicas], const violation_t last_g[kMaxReplicas],
                   const spin_t found[kMaxReplicas], unsigned first, unsigned replicas) {
Store_Results:
  for (unsigned r = 0; r < replicas; ++r) {
#pragma HLS PIPELINE II = 2
    const unsigned place = first + r;
    const word_t f = static_cast<unsigned>(last_f[place].to_int());
    const word_t best =
        found[place].to_bool() ? static_cast<unsigned>(best_f[place].to_int()) : kNoBest;
    results[2 * r] = f | (best << 32);
    results[2 * r + 1] = last_g[place].to_uint();
  }
}

// Bits past the last p-bit are stored as zero, and so is a best state that does not exist.
void store_states(word_t* target, const word_t ring[kMaxReplicas][kStateWords],
                  const spin_t found[kMaxReplicas], bool only_found, unsigned first,
                  unsigned replicas) {
  const word_t last_mask = ~0ull >> (64 * kStateWords - kPbits);
Store_States:
  for (unsigned r = 0; r < replicas; ++r) {
  Store_State_Words:
    for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS PIPELINE II = 1
      const word_t mask = w + 1 == kStateWords ? last_mask : ~0ull;
      const bool shown = !only_found || found[first + r].to_bool();
      target[r * kStateWords + w] = shown ? ring[first + r][w] & mask : 0ull;
    }
  }
}

// HLS cannot count clocks, so those stay zero.
void store_status(word_t* status, unsigned code) {
Store_Status:
  for (unsigned w = 0; w < kStatusWords; ++w) {
#pragma HLS PIPELINE II = 1
    status[w] = kStatusBlock[w] | (w == kCodeWord ? code : 0u);
  }
}

}  // namespace
