// Turns a row of J into tables: couplings come in beats of six groups of five, and every group
// becomes a table of the sums its five spins can make.
#pragma once

#include "row_types.hpp"

namespace {

RowHead head_of(word_t word, word_t second) {
#pragma HLS INLINE
  RowHead head;
  head.h = word & 0xffffffffu;
  head.clamp = (word >> kClampBit) & 1u;
  head.member = kOneHots != 0 ? (word >> kMemberBit) & 1u : 0u;
  head.begin = (word >> kBeginBit) & 1u;
  head.settle = kOneHots != 0 ? (word >> kSettleBit) & 1u : 0u;
  head.shift = second >> kShiftBit;
  return head;
}

// The beats between a record's head and its couplings.
void read_constraints(const word_t* record, RowHead& head) {
#pragma HLS INLINE
Read_Forms:
  for (unsigned k = 0; k < kForms; ++k) {
#pragma HLS PIPELINE II = 1
    head.form[k] = entry_of(record[kBeatWords + k]);
  }
Read_Products:
  for (unsigned w = 0; w < kBeatWords * kProductBeats; ++w) {
#pragma HLS PIPELINE II = 1
    head.product[w] = record[kBeatWords * (kHeadBeats - kProductBeats) + w];
  }
}

// Gray order: one spin flips from each entry to the next, so one adder per table suffices. It
// begins with the last spin up and all others down.
void build_tables(const coupling_t coupling[kGroups][kGroupSpins],
                  entry_t table[kGroups][kFoldedEntries]) {
#pragma HLS INLINE
  entry_t sum[kGroups];
#pragma HLS ARRAY_PARTITION variable = sum type = complete
First_Entries:
  for (unsigned q = 0; q < kGroups; ++q) {
#pragma HLS UNROLL
    sum[q] = coupling[q][kFoldedBits];
  First_Couplings:
    for (unsigned b = 0; b < kFoldedBits; ++b) {
#pragma HLS UNROLL
      sum[q] = sum[q] - coupling[q][b];
    }
    table[q][0] = sum[q];
  }
Gray_Steps:
  for (unsigned k = 1; k < kFoldedEntries; ++k) {
#pragma HLS PIPELINE II = 1
    const unsigned address = k ^ (k >> 1);
    const unsigned turned = k & 1u ? 0 : k & 2u ? 1 : k & 4u ? 2 : 3;
  Gray_Groups:
    for (unsigned q = 0; q < kGroups; ++q) {
#pragma HLS UNROLL
      const entry_t step = entry_t(coupling[q][turned]) << 1;
      sum[q] = (address >> turned) & 1u ? sum[q] + step : sum[q] - step;
      table[q][address] = sum[q];
    }
  }
}

// Rows follow each other round and round. Reading and passing overlap, so each keeps its own count.
unsigned next_row(unsigned row, bool restart, unsigned rows) {
#pragma HLS INLINE
  return restart || row + 1 == rows ? 0 : row + 1;
}

// Reads the record of the next row; a burst begins with row 0.
void fetch_row(const word_t* image, bool restart, unsigned rows, RowHead& head,
               entry_t table[kGroups][kFoldedEntries]) {
  static unsigned row;
  row = next_row(row, restart, rows);
  const word_t* record = image + kBeatWords + static_cast<word_t>(row) * kRowWords;
  coupling_t coupling[kGroups][kGroupSpins];
#pragma HLS ARRAY_PARTITION variable = coupling type = complete dim = 1
#pragma HLS ARRAY_PARTITION variable = coupling type = complete dim = 2
  head = head_of(record[0], record[1]);
  read_constraints(record, head);
Read_Beats:
  for (unsigned beat = kHeadBeats; beat < kRowWords / kBeatWords; ++beat) {
    // Four words are one beat of the wide bus.
#pragma HLS PIPELINE II = 1
    word_t word[kBeatWords];
#pragma HLS ARRAY_PARTITION variable = word type = complete
  Read_Words:
    for (unsigned w = 0; w < kBeatWords; ++w) {
#pragma HLS UNROLL
      word[w] = record[kBeatWords * beat + w];
    }
  Split_Groups:
    for (unsigned g = 0; g < kBeatGroups; ++g) {
#pragma HLS UNROLL
      const unsigned q = (beat - kHeadBeats) * kBeatGroups + g;
      if (q >= kGroups) continue;
    Split_Couplings:
      for (unsigned b = 0; b < kGroupSpins; ++b) {
#pragma HLS UNROLL
        const unsigned byte = kGroupSpins * g + b;
        coupling[q][b] = (word[byte / 8] >> (8 * (byte % 8))) & 0xffu;
      }
    }
  }
  build_tables(coupling, table);
}

}  // namespace
