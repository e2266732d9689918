// Loads the flip kernel's image: couplings, products, forms, bases and clamps.
#pragma once

#include "flip_forms.hpp"

namespace {

void load_rows(const word_t* image, coupling_t coupling[kPbits][kUnits][kUnitWords][kWordCouplings],
               word_t product[kPairRows][kUnits], field_t base[kChunks][kLanes],
               RowMarks marks[kChunks][kLanes], FormItem item[kFormChunks][kLanes][kBanks],
               residual_t start[kBanks][kStarts]) {
Load_Rows:
  for (unsigned i = 0; i < kPbits; ++i) {
  Load_Words:
    for (unsigned w = 0; w < kRowWords; ++w) {
#pragma HLS PIPELINE II = 1
      const word_t word = image[kHeadWords + i * kRowWords + w];
      if (w == 0) {
        base[i / kLanes][i % kLanes] = word & 0x3ffffu;
        RowMarks& mark = marks[i / kLanes][i % kLanes];
        mark.clamp = (word >> kClampBit) & 1u;
        mark.member = kOneHots != 0 ? (word >> kMemberBit) & 1u : 0u;
        mark.begin = (word >> kBeginBit) & 1u;
        mark.last = (word >> kSettleBit) & 1u;
      } else if (w <= kForms) {
        const FormEntry entry = entry_of(word);
        item[i / kLanes][i % kLanes][w - 1] = {entry.a, entry.number, entry.equality};
        if (entry.a != 0 && entry.first[0]) start[w - 1][entry.number.to_uint()] = entry.start;
      } else {
        const unsigned from = w - 1 - kForms;
        const unsigned unit = from / kUnitRecord, place = from % kUnitRecord;
        if (kProducts != 0 && place == 0) {
          product[i][unit] = word;
          continue;
        }
        const unsigned at = place - (kUnitRecord - kUnitWords);
      Load_Couplings:
        for (unsigned b = 0; b < kWordCouplings; ++b) {
#pragma HLS UNROLL
          coupling[i][unit][at][b] = (word >> (8 * b)) & 0xffu;
        }
      }
    }
  }
}

}  // namespace
