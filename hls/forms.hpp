// Linear forms as the row and the flip kernel hold them: the entry of an image that says how a row
// is in one, and how much a residual violates it.
#pragma once

#include "numbers.hpp"

namespace {

// Parts a topology leaves out have one element, since none is not allowed.
constexpr unsigned kBanks = kForms > 0 ? kForms : 1;

using coefficient_t = ap_int<kCoefficientBits>;
using residual_t = ap_int<kResidualBits>;
using number_t = ap_uint<kNumberBits>;
using pull_t = ap_int<kPullBits>;  // what a spin, up instead of down, adds to g

// The form of one bank that a row's spin is in.
struct FormEntry {
  coefficient_t a;  // 0: none
  number_t number;  // of its residual in the bank
  spin_t equality;
  spin_t first;      // no earlier row has this form:
  residual_t start;  // its residual with all spins down
};

FormEntry entry_of(word_t word) {
#pragma HLS INLINE
  FormEntry entry;
  entry.a = word & 0xffffu;
  entry.number = (word >> kNumberBit) & (kFormResiduals - 1);  // an unused entry may have any value
  entry.equality = (word >> kEqualityBit) & 1u;
  entry.first = (word >> kFirstBit) & 1u;
  entry.start = word >> kResidualBit;
  return entry;
}

// By how much a residual violates its form: |r| for an equation, otherwise the part above zero.
residual_t violation_of(residual_t r, spin_t equality) {
#pragma HLS INLINE
  if (r >= 0) return r;
  return equality[0] ? residual_t(-r) : residual_t(0);
}

}  // namespace
