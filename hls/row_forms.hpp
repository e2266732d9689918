// Constraints of a row: what its spin, up instead of down, adds to g. Linear forms by their
// residuals, in four banks read side by side, and pairs that must not both be up.
#pragma once

#include "row_types.hpp"

namespace {

// Both residuals of every form, D in two parts, and what measuring adds for the forms.
struct Constraint {
  residual_t up[kBanks], down[kBanks];
  pull_t forms, products;
  ap_int<kResidualBits + 3> measured;
};

unsigned ones_of(word_t word) {
#pragma HLS INLINE
  word_t sum = word - ((word >> 1) & 0x5555555555555555ull);
  sum = (sum & 0x3333333333333333ull) + ((sum >> 2) & 0x3333333333333333ull);
  sum = (sum + (sum >> 4)) & 0x0f0f0f0f0f0f0f0full;
  sum += sum >> 8;
  sum += sum >> 16;
  return static_cast<unsigned>((sum + (sum >> 32)) & 0x7fu);
}

Constraint constraint_at(const RowHead& head, const word_t state[kStateWords],
                         const residual_t residual[kBanks][kBankWords], unsigned slot,
                         bool measuring, bool old_up) {
#pragma HLS INLINE
  Constraint c;  // `= {}` is not enough: AMD's ap_int stays undefined
  c.forms = 0;
  c.measured = 0;
Read_Residuals:
  for (unsigned k = 0; k < kForms; ++k) {
    // Every bank is a separate memory.
#pragma HLS UNROLL
    const FormEntry& form = head.form[k];
    const residual_t kept = residual[k][slot * kFormResiduals + form.number.to_uint()];
    const residual_t r = measuring && form.first[0] ? form.start : kept;
    const bool holds_it = old_up && !measuring;  // r includes this spin's share
    c.down[k] = holds_it ? residual_t(r - form.a) : r;
    c.up[k] = holds_it ? r : residual_t(r + form.a);
    const residual_t counted = form.first[0] ? residual_t(0) : violation_of(r, form.equality);
    const residual_t now = violation_of(old_up ? c.up[k] : c.down[k], form.equality);
    if (form.a != 0) c.measured = c.measured + now - counted;
    c.forms =
        c.forms + violation_of(c.up[k], form.equality) - violation_of(c.down[k], form.equality);
  }
  unsigned count = 0;
Count_Products:
  for (unsigned w = 0; w < kStateWords && kProductBeats > 0; ++w) {
#pragma HLS UNROLL
    count += ones_of(state[w] & head.product[w]);
  }
  c.products = count << head.shift.to_uint();
  return c;
}

void keep_residuals(residual_t residual[kBanks][kBankWords], const RowHead& head,
                    const Constraint& c, unsigned slot, bool up) {
#pragma HLS INLINE
Write_Residuals:
  for (unsigned k = 0; k < kForms; ++k) {
#pragma HLS UNROLL
    if (head.form[k].a == 0) continue;
    residual[k][slot * kFormResiduals + head.form[k].number.to_uint()] = up ? c.up[k] : c.down[k];
  }
}

}  // namespace
