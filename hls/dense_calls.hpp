// Shared by calls of the row and the flip kernel: the image's head, and for which replicas f is
// known.
#pragma once

#include "numbers.hpp"

namespace {

// The number of rows in use, or 0 if the image is not of this topology.
unsigned rows_of(const word_t* image) {
#pragma HLS INLINE
  const word_t word = image[0];
  const unsigned rows = static_cast<unsigned>(word & 0xffffffffu);
  return (word >> 32) == kImageMark && rows <= kPbits ? rows : 0u;
}

// Whether f is known for all these replicas; from now on it counts as known.
bool all_known(spin_t known[kMaxReplicas], unsigned first, unsigned replicas) {
  bool all = true;
Ask_Known:
  for (unsigned r = 0; r < replicas; ++r) {
#pragma HLS PIPELINE II = 1
    all = all && known[first + r][0];
    known[first + r] = 1;
  }
  return all;
}

void forget(spin_t known[kMaxReplicas], unsigned first, unsigned replicas) {
Forget_Known:
  for (unsigned r = 0; r < replicas; ++r) {
#pragma HLS PIPELINE II = 1
    known[first + r] = 0;
  }
}

}  // namespace
