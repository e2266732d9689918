// One xorshift stream per p-bit or lane (Marsaglia 2003) and the seeder they share. The streams are
// linear, so seeding must not be: a Speck-like network turns the seed into bytes, and every stream
// absorbs the subset of them that its code selects.
#pragma once

#include "numbers.hpp"

namespace {

// Advances a stream; `injected` is zero except while seeding.
void step_stream(random_t state[kRngWords], random_t injected) {
#pragma HLS INLINE
  const random_t oldest = state[0];
  const random_t newest = state[kRngWords - 1];
  random_t mixed;
  if (kRngWords == 4) {
    const random_t t = oldest ^ (oldest << 11);
    mixed = newest ^ (newest >> 19) ^ t ^ (t >> 8);
  } else {
    const random_t t = oldest ^ (oldest << 10);
    mixed = newest ^ (newest >> 10) ^ t ^ (t >> 13);
  }
Shift_Words:
  for (unsigned i = 0; i + 1 < kRngWords; ++i) {
#pragma HLS UNROLL
    state[i] = state[i + 1];
  }
  state[kRngWords - 1] = mixed ^ injected;
}

random_t rotate_left(random_t x, int by) {
#pragma HLS INLINE
  return (x << by) | (x >> (32 - by));
}

// Seeds every stream from the seed alone: 64 clocks, however many streams.
void seed_streams(random_t stream[kStreams][kRngWords], word_t seed) {
  random_t a = static_cast<unsigned>(seed >> 32);
  random_t b = static_cast<unsigned>(seed & 0xffffffffu);
Clear_Streams:
  for (unsigned p = 0; p < kStreams; ++p) {
    // Registers: all are cleared in one clock.
#pragma HLS UNROLL
  Clear_Words:
    for (unsigned i = 0; i < kRngWords; ++i) {
#pragma HLS UNROLL
      stream[p][i] = 0;
    }
  }
Seed_Steps:
  for (unsigned n = 0; n < kSeedSteps; ++n) {
    // One byte per clock to all streams at once.
#pragma HLS PIPELINE II = 1
    a = random_t(rotate_left(a, 24) + b) ^ random_t(n);
    b = rotate_left(b, 3) ^ a;
    const random_t byte = a & random_t(0xff);
  Seed_Streams:
    for (unsigned p = 0; p < kStreams; ++p) {
      // Every stream is its own hardware.
#pragma HLS UNROLL
      const bool absorbs = ((kSeedCode[p] >> n) & 1u) != 0;
      step_stream(stream[p], absorbs ? byte : random_t(0));
    }
  }
}

}  // namespace
