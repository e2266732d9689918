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

constexpr unsigned kResidualCopies = kLanes + 1;  // one for the row that flips

// In a load, before any spin is up.
void start_residuals(residual_t residual[kResidualCopies][kBanks][kBankWords],
                     const residual_t start[kBanks][kStarts], unsigned first, unsigned replicas) {
Start_Replicas:
  for (unsigned r = 0; r < replicas && kForms > 0; ++r) {
  Start_Residuals:
    for (unsigned m = 0; m < kStarts; ++m) {
#pragma HLS PIPELINE II = 1
    Start_Copies:
      for (unsigned l = 0; l < kResidualCopies; ++l) {
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

// What a row's spin, up instead of down, adds to what its forms are violated by.
pull_t pull_of_forms(const FormItem item[kBanks], const residual_t residual[kBanks][kBankWords],
                     unsigned place, bool is_up) {
#pragma HLS INLINE
  pull_t pull = 0;
Read_Residuals:
  for (unsigned k = 0; k < kForms; ++k) {
#pragma HLS UNROLL
    const residual_t now = residual[k][place * kStarts + item[k].number.to_uint()];
    const residual_t next = is_up ? residual_t(now - item[k].a) : residual_t(now + item[k].a);
    const spin_t equality = item[k].equality;
    pull = pull + violation_of(is_up ? now : next, equality) -
           violation_of(is_up ? next : now, equality);
  }
  return pull;
}

// A row's spin turned.
void turn_residuals(residual_t residual[kResidualCopies][kBanks][kBankWords],
                    const FormItem item[kBanks], unsigned place, bool down) {
#pragma HLS INLINE
Turn_Banks:
  for (unsigned k = 0; k < kForms; ++k) {
#pragma HLS UNROLL
    if (item[k].a == 0) continue;
    const unsigned at = place * kStarts + item[k].number.to_uint();
    const residual_t now = residual[kLanes][k][at];
    const residual_t next = down ? residual_t(now - item[k].a) : residual_t(now + item[k].a);
  Write_Copies:
    for (unsigned l = 0; l < kResidualCopies; ++l) {
#pragma HLS UNROLL
      residual[l][k][at] = next;
    }
  }
}

}  // namespace
