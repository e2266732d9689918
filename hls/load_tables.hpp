// The ring kernel's load image.
#pragma once

#include "types.hpp"

namespace {

// A record is fetched in one burst, then its entries are written one at a time: every table is a
// separate memory, and each write in an iteration needs a decoder for all of them.
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

}  // namespace
