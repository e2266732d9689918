// Loads the flip kernel's image: couplings, products, bases and clamps.
#pragma once

#include "flip_types.hpp"

namespace {

void load_rows(const word_t* image, coupling_t coupling[kPbits][kUnits][kUnitWords][kWordCouplings],
               word_t product[kPairRows][kUnits], field_t base[kChunks][kLanes],
               spin_t clamp[kChunks][kLanes]) {
Load_Rows:
  for (unsigned i = 0; i < kPbits; ++i) {
  Load_Words:
    for (unsigned w = 0; w < kRowWords; ++w) {
#pragma HLS PIPELINE II = 1
      const word_t word = image[kHeadWords + i * kRowWords + w];
      if (w == 0) {
        base[i / kLanes][i % kLanes] = word & 0x3ffffu;
        clamp[i / kLanes][i % kLanes] = (word >> kClampBit) & 1u;
      } else {
        const unsigned unit = (w - 1) / kUnitRecord, place = (w - 1) % kUnitRecord;
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
