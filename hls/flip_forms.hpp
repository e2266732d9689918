// Linear forms of the flip kernel: every lane has a copy of all residuals, so that all can be read
// side by side. Only the row that flips writes, to all copies.
#pragma once

#include "flip_types.hpp"
#include "forms.hpp"

namespace {

// With a residual for each entry of a row.
constexpr unsigned kBankWords = kForms > 0 ? (kMaxReplicas* kFormResiduals) : 1;  // of a copy
constexpr unsigned kFormChunks = kForms > 0 ? kChunks : 1;
constexpr unsigned kStarts = kForms > 0 ? kFormResiduals : 1;

// How a row is in the form of one bank.
struct FormItem {
  coefficient_t a;  // 0: it is in none
  number_t number;
  spin_t equality;
};

// What a lane's row does to its forms: D, and the residuals if it flips.
struct FormTurn {
  pull_t pull;
  residual_t next[kBanks];
};

// In a load, before any spin is up.
void start_residuals(residual_t residual[kLanes][kBanks][kBankWords],
                     const residual_t start[kBanks][kStarts], unsigned first, unsigned replicas) {
Start_Replicas:
  for (unsigned r = 0; r < replicas && kForms > 0; ++r) {
  Start_Residuals:
    for (unsigned m = 0; m < kStarts; ++m) {
#pragma HLS PIPELINE II = 1
    Start_Copies:
      for (unsigned l = 0; l < kLanes; ++l) {
#pragma HLS UNROLL
      Start_Banks:
        for (unsigned k = 0; k < kBanks; ++k) {
#pragma HLS UNROLL
          residual[l][k][(first + r) * kStarts + m] = start[k][m];
        }
      }
    }
  }
}

FormTurn turn_forms(const FormItem item[kBanks], const residual_t residual[kBanks][kBankWords],
                    unsigned place, bool is_up) {
#pragma HLS INLINE
  FormTurn turn;
  turn.pull = 0;
Read_Residuals:
  for (unsigned k = 0; k < kForms; ++k) {
#pragma HLS UNROLL
    const residual_t now = residual[k][place * kStarts + item[k].number.to_uint()];
    const residual_t next = is_up ? residual_t(now - item[k].a) : residual_t(now + item[k].a);
    const spin_t equality = item[k].equality;
    turn.pull = turn.pull + violation_of(is_up ? now : next, equality) -
                violation_of(is_up ? next : now, equality);
    turn.next[k] = next;
  }
  return turn;
}

void write_residuals(residual_t residual[kLanes][kBanks][kBankWords], const FormItem item[kBanks],
                     const FormTurn& turn, unsigned place) {
#pragma HLS INLINE
Write_Banks:
  for (unsigned k = 0; k < kForms; ++k) {
#pragma HLS UNROLL
    if (item[k].a == 0) continue;
  Write_Copies:
    for (unsigned l = 0; l < kLanes; ++l) {
#pragma HLS UNROLL
      residual[l][k][place * kStarts + item[k].number.to_uint()] = turn.next[k];
    }
  }
}

}  // namespace
