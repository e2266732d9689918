// One-hot groups: rows of a group pass one after another, each replica keeps the member with the
// largest y + Gumbel noise, and the settling row sets it up. That is a draw from the exact
// distribution over the group's states.
#pragma once

#include "gumbel.hpp"
#include "row_forms.hpp"

namespace {

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
