// Memory traffic of every kernel: states in, parameters, status. All loops run over consecutive
// words, so that HLS turns them into long AXI bursts.
#pragma once

#ifndef __SYNTHESIS__
#include <cstdint>
#endif

#include "numbers.hpp"

namespace {

// Whether a buffer begins at a whole word. Vitis HLS cannot convert a pointer to an integer and
// drops the lowest three bits on the bus; when the kernel runs as plain C++ they are refused.
bool aligned(const word_t* buffer) {
#ifdef __SYNTHESIS__
  return true;
#else
  return reinterpret_cast<std::uintptr_t>(buffer) % sizeof(word_t) == 0;
#endif
}

constexpr word_t kLastMask = ~0ull >> (64 * kStateWords - kPbits);  // of a state's last word

// Bits past the last p-bit are dropped, so that they are zero wherever the state goes.
void load_states(const word_t* spins, word_t ring[kMaxReplicas][kStateWords], unsigned first,
                 unsigned replicas) {
Load_States:
  for (unsigned r = 0; r < replicas; ++r) {
  Load_State_Words:
    for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS PIPELINE II = 1
      const word_t mask = w + 1 == kStateWords ? kLastMask : ~0ull;
      ring[first + r][w] = spins[r * kStateWords + w] & mask;
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
    parameter[first + r].penalty = (word >> 32) & 0xffffffffu;
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
