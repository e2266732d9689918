// The ring kernel's load image.
#pragma once

#include "types.hpp"

namespace {

void load_tables(const word_t* tables, entry_t table[kTiles][kTilePbits][kTables][kEntries],
                 spin_t clamp[kPbits]) {
  unsigned next = 0;
Load_Pbits:
  for (unsigned p = 0; p < kPbits; ++p) {
  Load_Tables:
    for (unsigned t = 0; t < kTables; ++t) {
    Load_Words:
      for (unsigned w = 0; w < kTableWords; ++w) {
        // Four entries a word and one write port a table: a word every four clocks.
#pragma HLS PIPELINE II = 4
        const word_t word = tables[next++];
      Load_Entries:
        for (unsigned i = 0; i < 4; ++i) {
          if (4 * w + i < kEntries) {
            table[p / kTilePbits][p % kTilePbits][t][4 * w + i] = (word >> (16 * i)) & 0xffffu;
          }
        }
      }
    }
    clamp[p] = tables[next++] & 1u;
  }
}

}  // namespace
