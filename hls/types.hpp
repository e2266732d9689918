// The kernel's numbers by width. All of them follow from the topology header, which the host
// generates (host/topology/hls_header.cpp); docs/kernel.md says what they mean.
#pragma once

#include <ap_int.h>

#include "topology_constants.hpp"

#if defined(USE_VITIS_HEADERS) && defined(CHAINMAIL_AP_INT)
#error "USE_VITIS_HEADERS is set but the Vitis <ap_int.h> is not on the include path"
#endif

// Pragmas, where nothing else is said: a helper is INLINE, so that it becomes part of its caller's
// pipeline; a loop over p-bits, slots or words is UNROLLed and its arrays are partitioned, because
// all of it exists at once and what looks like an array is wires; a loop over replicas or words of
// a buffer is a PIPELINE that takes one a clock, which is what the bus carries.

// Everything has internal linkage: kernels of several topologies link into one host program.
namespace {

using namespace topology;

using word_t = unsigned long long;  // one beat of the memory interface

constexpr unsigned kEntries = 1u << kAddressBits;
constexpr unsigned kPbitWords = kTables * kTableWords + 1;  // of a record of the load image
constexpr unsigned kPenaltyShift = kBetaBits - 9;           // aligns Q8.8 with beta's fraction bits
constexpr unsigned kSumBits = 48;                           // the accumulator of a DSP slice

// Tables are split into tiles, so that no dimension which is partitioned completely grows beyond
// what HLS accepts.
constexpr unsigned kTilePbits = kPbits < 128 ? kPbits : 128;
constexpr unsigned kTiles = (kPbits + kTilePbits - 1) / kTilePbits;

using spin_t = ap_uint<1>;  // 1 is up
using address_t = ap_uint<kAddressBits>;
using entry_t = ap_int<kTableBits>;
using field_t = ap_int<kFieldBits>;
using term_t = ap_int<kFieldBits + 1>;  // a field with either sign
using energy_t = ap_int<kEnergyBits>;
using violation_t = ap_uint<kViolationBits>;
using beta_t = ap_uint<kBetaBits>;
using penalty_t = ap_uint<kPenaltyBits>;
using sum_t = ap_int<kSumBits>;
using random_t = ap_uint<32>;
using threshold_t = ap_uint<kThresholdBits>;

struct Parameters {
  beta_t beta;
  penalty_t penalty;
};

// p-bits of one function: three hundred bodies in one are more than HLS schedules in good time.
constexpr unsigned kGroupPbits = 16;

// Slots between a replica's turns, at least: the ring may become a pipeline this deep. HLS_DEPTH=
// asks for another, where a report says that the pipeline is deeper.
#ifdef HLS_DEPTH
constexpr unsigned kPeriod = HLS_DEPTH;
#else
constexpr unsigned kPeriod = kDepth;
#endif

static_assert(kAddressBits >= 1 && kAddressBits <= 5, "a table is addressed by one to five spins");
static_assert(kTableBits <= 16, "an entry is stored in 16 bits");
static_assert(kFieldBits + kBetaBits + 2 <= kSumBits, "the activation must fit the accumulator");
static_assert(kEnergyBits <= 32, "f is reported in 32 bits");
static_assert(kRngWords == 2 || kRngWords == 4, "xorshift with two or four words");
static_assert(kPeriod >= kColours, "a pipeline has at least a stage for each colour");
static_assert(kBetaBits >= 12, "beta needs at least as many fraction bits as the threshold");

}  // namespace
