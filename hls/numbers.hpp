// Integer types shared by all kernels: words, spins, parameters, noise, outcomes. They follow from
// the topology header, which the host generates (host/topology/hls_header.cpp).
#pragma once

#include <ap_int.h>

#include "topology_constants.hpp"

#if defined(USE_AMD_AP_INT) && defined(CHAINMAIL_AP_INT)
#error "AP_INT names a folder without ap_int.h"
#endif

// Pragmas, unless noted: a helper is INLINE, so that it becomes part of its caller's pipeline; a
// loop over p-bits, slots or words is UNROLLed and its arrays are partitioned, because all of it
// exists at once and the arrays are wires; a loop over replicas or words of a buffer is a PIPELINE
// that takes one per clock, which is what the bus carries.

// Everything has internal linkage: kernels of several topologies link into one host program.
namespace {

using namespace topology;

using word_t = unsigned long long;  // one beat of the memory interface

constexpr unsigned kPenaltyShift = kBetaBits - 9;  // aligns Q8.8 with beta's fraction bits
constexpr unsigned kSumBits = 48;                  // the accumulator of a DSP slice

using spin_t = ap_uint<1>;  // 1 is up
using field_t = ap_int<kFieldBits>;
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

// What a burst reports for one replica.
struct Outcome {
  energy_t f;
  energy_t best_f;  // lowest f with g = 0 in this burst, if one was found
  violation_t g;
  spin_t found;
};

static_assert(kFieldBits + kBetaBits + 2 <= kSumBits, "the activation must fit the accumulator");
static_assert(kEnergyBits <= 32, "f is reported in 32 bits");
static_assert(kRngWords == 2 || kRngWords == 4, "xorshift with two or four words");
static_assert(kBetaBits >= 12, "beta needs at least as many fraction bits as the threshold");

}  // namespace
