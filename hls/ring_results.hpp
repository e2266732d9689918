// Results and states of the ring kernel, whose outcomes are separate arrays: HLS accepts a
// dependence pragma (sweep_ring.hpp) on a plain array, not on a member of a struct.
#pragma once

#include "memory.hpp"
#include "types.hpp"

namespace {

void store_results(word_t* results, const energy_t last_f[kMaxReplicas],
                   const energy_t best_f[kMaxReplicas], const violation_t last_g[kMaxReplicas],
                   const spin_t found[kMaxReplicas], unsigned first, unsigned replicas) {
Store_Results:
  for (unsigned r = 0; r < replicas; ++r) {
#pragma HLS PIPELINE II = 2
    const unsigned place = first + r;
    const word_t f = static_cast<unsigned>(last_f[place].to_int());
    const word_t best =
        found[place].to_bool() ? static_cast<unsigned>(best_f[place].to_int()) : kNoBest;
    results[2 * r] = f | (best << 32);
    results[2 * r + 1] = last_g[place].to_uint();
  }
}

// A missing best state is stored as zero.
void store_states(word_t* target, const word_t ring[kMaxReplicas][kStateWords],
                  const spin_t found[kMaxReplicas], bool only_found, unsigned first,
                  unsigned replicas) {
Store_States:
  for (unsigned r = 0; r < replicas; ++r) {
  Store_State_Words:
    for (unsigned w = 0; w < kStateWords; ++w) {
#pragma HLS PIPELINE II = 1
      const bool shown = !only_found || found[first + r].to_bool();
      target[r * kStateWords + w] = shown ? ring[first + r][w] : 0ull;
    }
  }
}

}  // namespace
