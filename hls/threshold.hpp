// The logistic threshold: a random number T such that "y + T >= 0" has the probability
// 1 / (1 + 2^-y). From one random word: a sign, the octave as a count of leading zeros, a segment
// of the octave and a point of the segment. No multiplier, three small tables, exactly symmetric.
#pragma once

#include "numbers.hpp"

namespace {

// Leading zeros of the word's bits 30..7; 24 when all are zero. Five halvings instead of a chain of
// 24 tests; a one after the last bit ends the count.
ap_uint<5> octave_of(random_t word) {
#pragma HLS INLINE
  random_t rest = ((word << 1) & random_t(0xffffff00u)) | random_t(0x80u);
  unsigned octave = 0;
Halve_Range:
  for (int step = 16; step >= 1; step /= 2) {
#pragma HLS UNROLL
    if ((rest >> (32 - step)) == 0) {
      rest = rest << step;
      octave += static_cast<unsigned>(step);
    }
  }
  return octave;
}

// In units of ln 2 / 2^(kBetaBits - 1), like the rest of the activation. The complement instead of
// a negation keeps the two signs exactly symmetric and leaves no ties.
sum_t logistic_threshold(random_t word) {
#pragma HLS INLINE
  // Three hundred copies of two small tables: logic, not block RAM.
#pragma HLS BIND_STORAGE variable = kBase type = rom_np impl = lutram
#pragma HLS BIND_STORAGE variable = kDither type = rom_np impl = lutram
  const ap_uint<5> octave = octave_of(word);
  const unsigned bits = word.to_uint();
  const unsigned mantissa = (bits >> 3) & 15u;
  const unsigned dither = bits & 7u;
  unsigned row = 6;
  if (octave < 6) row = octave.to_uint();
  if (octave == kOctaveBits) row = 7;
  const unsigned shape = (octave == 0 ? 4 : 0) + (mantissa >> 2);
  const threshold_t magnitude = (threshold_t(octave) << static_cast<int>(kThresholdFraction)) +
                                threshold_t(kBase[row][mantissa]) +
                                threshold_t(kDither[shape][dither]);
  const sum_t aligned = sum_t(magnitude) << static_cast<int>(kPenaltyShift);
  return word[31] ? sum_t(~aligned) : aligned;
}

// The p-bit's decision. Multiply and add in one DSP slice; the rest (constraints and noise) is
// added outside, where it is narrow.
spin_t decide(beta_t beta, field_t field, sum_t pull, random_t word) {
#pragma HLS INLINE
  const sum_t noise = pull + logistic_threshold(word);
  const sum_t activation = sum_t(ap_int<kBetaBits + 1>(beta) * field) + noise;
  return activation >= 0 ? 1 : 0;
}

}  // namespace
