// The ring kernel's own integer types: tables and what is read from them. docs/kernel.md says what
// they mean.
#pragma once

#include "numbers.hpp"

namespace {

constexpr unsigned kEntries = 1u << kAddressBits;
constexpr unsigned kPbitWords = kTables * kTableWords + 1;  // of a record of the load image

// Tables are split into tiles, so that no dimension which is partitioned completely grows beyond
// what HLS accepts.
constexpr unsigned kTilePbits = kPbits < 128 ? kPbits : 128;
constexpr unsigned kTiles = (kPbits + kTilePbits - 1) / kTilePbits;

using address_t = ap_uint<kAddressBits>;
using entry_t = ap_int<kTableBits>;
using term_t = ap_int<kFieldBits + 1>;  // a field with either sign

// p-bits per function: HLS takes too long to schedule three hundred bodies in one.
constexpr unsigned kGroupPbits = 16;

// Least number of slots between a replica's turns: the ring may become a pipeline this deep. Set
// HLS_DEPTH= if a report says that the pipeline is deeper.
#ifdef HLS_DEPTH
constexpr unsigned kPeriod = HLS_DEPTH;
#else
constexpr unsigned kPeriod = kDepth;
#endif

static_assert(kAddressBits >= 1 && kAddressBits <= 5, "a table is addressed by one to five spins");
static_assert(kTableBits <= 16, "an entry is stored in 16 bits");
static_assert(kPeriod >= kColours, "a pipeline has at least a stage for each colour");

}  // namespace
