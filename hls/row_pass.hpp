// One replica passes a row: its spins address the tables, the sum is the field of the row's spin,
// constraints add what the spin costs, the p-bit decides, f and g follow. A measuring pass flips
// nothing and adds up f and g from scratch.
#pragma once

#include "row_forms.hpp"
#include "row_groups.hpp"

namespace {

// Five spins as an address; those past the last p-bit read as down.
unsigned group_spins(const word_t state[kStateWords], unsigned q) {
#pragma HLS INLINE
  const unsigned from = kGroupSpins * q;
  const unsigned shift = from % 64;
  word_t bits = state[from / 64] >> shift;
  if (shift > 64 - kGroupSpins && from / 64 + 1 < kStateWords) {
    bits |= state[from / 64 + 1] << (64 - shift);
  }
  return static_cast<unsigned>(bits) & ((1u << kGroupSpins) - 1);
}

field_t local_field(const word_t state[kStateWords], const entry_t table[kGroups][kFoldedEntries],
                    field_t h) {
#pragma HLS INLINE
  int sum =
      h.to_int();  // HLS balances the additions into a tree and keeps the bits that a field has
Lookup_Groups:
  for (unsigned q = 0; q < kGroups; ++q) {
#pragma HLS UNROLL
    const unsigned spins = group_spins(state, q);
    const unsigned fold = ((spins >> kFoldedBits) & 1u) - 1u;  // all ones if the last is down
    const entry_t entry = table[q][(spins ^ fold) & (kFoldedEntries - 1)];
    sum += (entry.to_int() ^ static_cast<int>(fold)) - static_cast<int>(fold);
  }
  return sum;
}

using g_step_t = ap_int<kViolationBits + 2>;

struct Pass {
  bool old_up;
  spin_t spin;
  field_t field;
  pull_t pull;      // D: what the spin, up instead of down, adds to g
  sum_t push;       // what D adds to the activation
  energy_t f_step;  // of f, or of 2f while measuring
  g_step_t g_step;
  Constraint constraint;
};

Pass pass_replica(const word_t state[kStateWords], const entry_t table[kGroups][kFoldedEntries],
                  const RowHead& head, unsigned row, bool measuring, Parameters parameters,
                  random_t word, const residual_t residual[kBanks][kBankWords], unsigned slot) {
#pragma HLS INLINE
  Pass pass;
  pass.field = local_field(state, table, head.h);
  pass.old_up = ((state[row / 64] >> (row % 64)) & 1u) != 0;
  pass.constraint = constraint_at(head, state, residual, slot, measuring, pass.old_up);
  pass.pull = pass.constraint.forms + pass.constraint.products;
  pass.push = kPenalised ? sum_t(-sum_t(ap_int<kPenaltyBits + 1>(parameters.penalty) * pass.pull))
                         : sum_t(0);
  const spin_t drawn = decide(parameters.beta, pass.field, pass.push, word);
  const spin_t old_spin = pass.old_up ? 1 : 0;
  // Members are set down as they pass; the one that is set up is chosen at the group's end.
  const bool keeps = measuring || head.settle[0] || (head.clamp[0] && !head.member[0]);
  pass.spin = keeps ? old_spin : head.member[0] ? spin_t(0) : drawn;
  // 2f = -sum of s (F + h): every coupling counts at both ends. A spin that flips changes f by 2 s
  // F with its old s.
  const ap_int<kFieldBits + 1> doubled = pass.field + (measuring ? head.h : pass.field);
  const bool turned = pass.spin != old_spin;
  const bool negative = measuring ? pass.old_up : !pass.old_up;
  const ap_int<kFieldBits + 2> step = negative ? -doubled : ap_int<kFieldBits + 2>(doubled);
  pass.f_step = measuring || turned ? energy_t(step) : energy_t(0);
  // Likewise 2g: products count at both ends, forms once.
  g_step_t measured = g_step_t(pass.constraint.measured) << 1;
  if (pass.old_up) measured = measured + pass.constraint.products;
  const g_step_t moved = pass.old_up ? g_step_t(-pass.pull) : g_step_t(pass.pull);
  pass.g_step = measuring ? measured : turned ? moved : g_step_t(0);
  return pass;
}

}  // namespace
