// The row kernel's own integer types (docs/rows.md).
#pragma once

#include "forms.hpp"

namespace {

// Entry ~a of a table is minus entry a, so the half with the last spin up suffices.
constexpr unsigned kFoldedBits = kGroupSpins - 1;
constexpr unsigned kFoldedEntries = 1u << kFoldedBits;

using coupling_t = ap_int<kCouplingBits>;
using entry_t = ap_int<kCouplingBits + 3>;  // five couplings

// Parts a topology leaves out have one element, since none is not allowed.
constexpr unsigned kBankWords = kForms > 0 ? (kLaneReplicas* kFormResiduals) : 1;  // of a lane
constexpr unsigned kProductWords = kProductBeats > 0 ? (kBeatWords* kProductBeats) : 1;
constexpr unsigned kWinners = kOneHots != 0 ? kMaxReplicas : 1;
constexpr bool kPenalised = kForms > 0 || kProductBeats > 0;

// What a row has besides couplings.
struct RowHead {
  field_t h;
  spin_t clamp;
  spin_t member, begin, settle;  // of a one-hot group
  ap_uint<kShiftBits> shift;     // a product's weight
  FormEntry form[kBanks];
  word_t product[kProductWords];
};

// The best member of its group that a replica has passed so far.
struct Winner {
  sum_t key;
  ap_uint<13> row;
  field_t field;
  pull_t pull;
  coefficient_t a[kBanks];
  number_t number[kBanks];
};

static_assert(kGroupSpins == 5, "five couplings of 8 bits need an entry of 11");
static_assert(8 * kBeatWords >= kBeatGroups * kGroupSpins, "groups fit their beat");

}  // namespace
