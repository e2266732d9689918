// Gumbel noise from one random word: of keys with such noise the largest is a draw from the
// distribution over them. Sign, octave and segment as for the threshold, another table.
#pragma once

#include "threshold.hpp"

namespace {

// In units of ln 2 / 2^(kBetaBits - 1), like the rest of the activation.
sum_t gumbel_noise(random_t word) {
#pragma HLS INLINE
#pragma HLS BIND_STORAGE variable = kGumbel type = rom_np impl = bram
  const unsigned bits = word.to_uint();
  const unsigned octave = octave_of(word).to_uint();
  // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): unused without groups
  const unsigned address = (bits >> 31) * 512 + octave * 16 + ((bits >> 3) & 15u);
  const unsigned entry = kGumbel[kOneHots != 0 ? address : 0];
  const ap_int<kGumbelBaseBits> base = entry & ((1u << kGumbelBaseBits) - 1);
  const unsigned step = entry >> kGumbelBaseBits;
  const sum_t noise = sum_t(base) + sum_t((step * (bits & 7u)) >> 2);
  return noise << static_cast<int>(kPenaltyShift);
}

}  // namespace
