// One p-bit: local field by table look-up, chain term, threshold, new spin, and what the p-bit
// adds to f. This function is instantiated once for every p-bit of the array.
#pragma once

#include "threshold.hpp"
#include "types.hpp"

namespace {

// The sum as a balanced tree: log2(kTables) adders deep instead of kTables.
field_t adder_tree(field_t value[kTables]) {
#pragma HLS INLINE
Tree_Levels:
  for (unsigned step = 1; step < kTables; step *= 2) {
#pragma HLS UNROLL
  Tree_Adders:
    for (unsigned i = 0; i + step < kTables; i += 2 * step) {
#pragma HLS UNROLL
      value[i] = field_t(value[i] + value[i + step]);
    }
  }
  return value[0];
}

struct Update {
  spin_t spin;
  term_t energy;  // -s times the field of the neighbours that were updated before
};

Update update_pbit(const entry_t table[kTables][kEntries], const address_t address[kTables],
                   unsigned early, unsigned used, ap_int<3> chain, Parameters parameters,
                   random_t word, spin_t old_spin, spin_t keep) {
  // A separate function, so that HLS can schedule a group of them.
#pragma HLS INLINE off
#pragma HLS PIPELINE II = 1
  // Both are constant for a p-bit: an instance has only the tables it uses.
#pragma HLS FUNCTION_INSTANTIATE variable = early
#pragma HLS FUNCTION_INSTANTIATE variable = used
  field_t early_part[kTables];
  field_t late_part[kTables];
#pragma HLS ARRAY_PARTITION variable = early_part type = complete
#pragma HLS ARRAY_PARTITION variable = late_part type = complete
Lookup_Tables:
  for (unsigned t = 0; t < kTables; ++t) {
    // All tables are read at once.
#pragma HLS UNROLL
    const field_t entry = t < used ? field_t(table[t][address[t].to_uint()]) : field_t(0);
    early_part[t] = t < early ? entry : field_t(0);
    late_part[t] = t < early ? field_t(0) : entry;
  }
  const field_t early_field = adder_tree(early_part);
  const field_t field = early_field + adder_tree(late_part);

  const sum_t pull = sum_t(ap_int<kPenaltyBits + 1>(parameters.penalty) * chain)
                     << static_cast<int>(kPenaltyShift);
  Update result;
  const spin_t drawn = decide(parameters.beta, field, pull, word);
  result.spin = keep[0] ? old_spin : drawn;
  result.energy = result.spin[0] ? term_t(-early_field) : term_t(early_field);
  return result;
}

}  // namespace
