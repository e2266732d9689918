// The row kernel's own numbers by width (docs/rows.md).
#pragma once

#include "numbers.hpp"

namespace {

// Entry ~a of a table is minus entry a, so the half in which the last spin is up suffices.
constexpr unsigned kFoldedBits = kGroupSpins - 1;
constexpr unsigned kFoldedEntries = 1u << kFoldedBits;

using coupling_t = ap_int<kCouplingBits>;
using entry_t = ap_int<kCouplingBits + 3>;  // five couplings

// What a row says of its spin beside the couplings.
struct RowHead {
  field_t h;
  spin_t clamp;
};

static_assert(kGroupSpins == 5, "five couplings of 8 bits need an entry of 11");
static_assert(8 * kBeatWords >= kBeatGroups * kGroupSpins, "groups fit their beat");

}  // namespace
