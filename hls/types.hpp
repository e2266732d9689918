// The ring kernel's own numbers by width: tables and what is read from them. docs/kernel.md says
// what they mean.
#pragma once

#include "numbers.hpp"

namespace {

constexpr unsigned kEntries = 1u << kAddressBits;

// Tables are split into tiles, so that no dimension which is partitioned completely grows beyond
// what HLS accepts.
constexpr unsigned kTilePbits = kPbits < 128 ? kPbits : 128;
constexpr unsigned kTiles = (kPbits + kTilePbits - 1) / kTilePbits;

using address_t = ap_uint<kAddressBits>;
using entry_t = ap_int<kTableBits>;
using term_t = ap_int<kFieldBits + 1>;  // a field with either sign

static_assert(kAddressBits >= 1 && kAddressBits <= 5, "a table is addressed by one to five spins");
static_assert(kTableBits <= 16, "an entry is stored in 16 bits");

}  // namespace
