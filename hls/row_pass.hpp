// One replica passes a row: its spins address the tables, the sum is the field of the row's spin,
// the p-bit decides, f follows. A measuring pass turns nothing and adds up f from scratch.
#pragma once

#include "row_types.hpp"
#include "threshold.hpp"

namespace {

// Five spins as an address; those past the last p-bit read as down.
unsigned group_spins(const word_t state[kStateWords], unsigned q) {
#pragma HLS INLINE
  const unsigned from = kGroupSpins * q;
  const unsigned shift = from % 64;
  word_t bits = state[from / 64] >> shift;
  if (shift > 64 - kGroupSpins && from / 64 + 1 < kStateWords) {
    bits |= state[from / 64 + 1] << (64 - shift);
  }
  return static_cast<unsigned>(bits) & ((1u << kGroupSpins) - 1);
}

field_t local_field(const word_t state[kStateWords], const entry_t table[kGroups][kFoldedEntries],
                    field_t h) {
#pragma HLS INLINE
  int sum =
      h.to_int();  // HLS balances the additions into a tree and keeps the bits that a field has
Lookup_Groups:
  for (unsigned q = 0; q < kGroups; ++q) {
#pragma HLS UNROLL
    const unsigned spins = group_spins(state, q);
    const unsigned fold = ((spins >> kFoldedBits) & 1u) - 1u;  // all ones where the last is down
    const entry_t entry = table[q][(spins ^ fold) & (kFoldedEntries - 1)];
    sum += (entry.to_int() ^ static_cast<int>(fold)) - static_cast<int>(fold);
  }
  return sum;
}

struct Pass {
  spin_t spin;
  energy_t change;  // of f, or of 2f while measuring
};

Pass pass_replica(const word_t state[kStateWords], const entry_t table[kGroups][kFoldedEntries],
                  const RowHead& head, unsigned row, bool measuring, beta_t beta, random_t word) {
#pragma HLS INLINE
  const field_t field = local_field(state, table, head.h);
  const spin_t old_spin = (state[row / 64] >> (row % 64)) & 1u;
  const spin_t drawn = decide(beta, field, 0, word);
  Pass result;
  result.spin = measuring || head.clamp[0] ? old_spin : drawn;
  // 2f = -sum of s (F + h): every coupling is met at both ends. A spin that turns changes f by
  // 2 s F with its old s.
  const ap_int<kFieldBits + 1> doubled = field + (measuring ? head.h : field);
  const bool counts = measuring || result.spin != old_spin;
  const bool negative = measuring ? old_spin[0] : !old_spin[0];
  const ap_int<kFieldBits + 2> change = negative ? -doubled : ap_int<kFieldBits + 2>(doubled);
  result.change = counts ? energy_t(change) : energy_t(0);
  return result;
}

}  // namespace
