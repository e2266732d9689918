// One-hot groups: rows of a group pass one after another, each replica keeps the member with the
// largest y + Gumbel noise, and the settling row sets it up. That is a draw from the exact
// distribution over the group's states.
#pragma once

#include "row_forms.hpp"
#include "threshold.hpp"

namespace {

// In units of ln 2 / 2^(kBetaBits - 1), like the rest of the activation.
sum_t gumbel_noise(random_t word) {
#pragma HLS INLINE
#pragma HLS BIND_STORAGE variable = kGumbel type = rom_np impl = bram
  const unsigned bits = word.to_uint();
  const unsigned octave = octave_of(word).to_uint();
  const unsigned address = (bits >> 31) * 512 + octave * 16 + ((bits >> 3) & 15u);
  const unsigned entry = kGumbel[kOneHots != 0 ? address : 0];
  const ap_int<kGumbelBaseBits> base = entry & ((1u << kGumbelBaseBits) - 1);
  const unsigned step = entry >> kGumbelBaseBits;
  const sum_t noise = sum_t(base) + sum_t((step * (bits & 7u)) >> 2);
  return noise << static_cast<int>(kPenaltyShift);
}

// Whether the passing member is the best so far; if so it is remembered.
void note_member(Winner& winner, const RowHead& head, unsigned row, sum_t key, field_t field,
                 pull_t pull) {
#pragma HLS INLINE
  if (!head.begin[0] && winner.key >= key) return;
  winner.key = key;
  winner.row = row;
  winner.field = field;
  winner.pull = pull;
Note_Forms:
  for (unsigned k = 0; k < kForms; ++k) {
#pragma HLS UNROLL
    winner.a[k] = head.form[k].a;
    winner.number[k] = head.form[k].number;
  }
}

void settle_residuals(residual_t residual[kBanks][kBankWords], const Winner& winner,
                      unsigned slot) {
#pragma HLS INLINE
Settle_Forms:
  for (unsigned k = 0; k < kForms; ++k) {
#pragma HLS UNROLL
    if (winner.a[k] == 0) continue;
    residual_t& r = residual[k][slot * kFormResiduals + winner.number[k].to_uint()];
    r = r + winner.a[k];
  }
}

}  // namespace
