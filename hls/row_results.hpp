// Results and states of the row kernel, from its array of outcomes (ring_results.hpp is the ring
// kernel's).
#pragma once

#include "memory.hpp"

namespace {

void store_results(word_t* results, const Outcome outcome[kMaxReplicas], unsigned first,
                   unsigned replicas) {
Store_Results:
  for (unsigned r = 0; r < replicas; ++r) {
#pragma HLS PIPELINE II = 2
    const Outcome o = outcome[first + r];
    const word_t f = static_cast<unsigned>(o.f.to_int());
    const word_t best = o.found.to_bool() ? static_cast<unsigned>(o.best_f.to_int()) : kNoBest;
    results[2 * r] = f | (best << 32);
    results[2 * r + 1] = o.g.to_uint();
  }
}

// A missing best state is stored as zero.
void store_states(word_t* target, const word_t ring[kMaxReplicas][kStateWords],
                  const Outcome outcome[kMaxReplicas], bool only_found, unsigned first,
                  unsigned replicas) {
Store_States:
  for (unsigned r = 0; r < replicas; ++r) {
  Store_State_Words:
    for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS PIPELINE II = 1
      const bool shown = !only_found || outcome[first + r].found.to_bool();
      target[r * kStateWords + w] = shown ? ring[first + r][w] : 0ull;
    }
  }
}

}  // namespace
