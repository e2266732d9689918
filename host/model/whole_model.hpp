// A model in whole numbers, exactly: every constraint as lower <= sum a_i x_i <= upper with 64-bit
// coefficients, decimals scaled by the power of ten that makes them whole and divided by their
// common factor, and pairs of binaries whose product must be zero separately. What cannot be
// written this way is refused, never rounded.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/constrained_model.hpp"

namespace chainmail {

struct WholeTerm64 {
  std::uint32_t variable;
  std::int64_t coefficient;
  bool operator==(const WholeTerm64&) const = default;
};

struct WholeForm {
  std::vector<WholeTerm64> terms;
  Wide lower, upper;         // -kWidestUnits, kWidestUnits: no limit
  std::uint32_t constraint;  // of the model, for messages
  std::uint32_t use = 0;     // which rows it came from (Presolved::uses)
  Decimal price = 0;         // of a soft one: per unit beyond its limits

  bool has_lower() const { return lower > -kWidestUnits; }
  bool has_upper() const { return upper < kWidestUnits; }
};

struct WholeInterval {
  std::int64_t lower, upper;  // kNoLower, kNoUpper (problem/form_model.hpp): none given
  bool fixed() const { return lower == upper; }
  bool operator==(const WholeInterval&) const = default;
};

struct WholeModel {
  std::vector<WholeInterval> bounds;  // by variable
  std::vector<WholeForm> forms;
  std::vector<WholeForm> soft;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> exclusions;
  std::vector<std::uint32_t> exclusion_rows;  // constraint of each of the exclusions as given
  std::vector<std::pair<std::uint32_t, std::uint32_t>> zeros;  // constraint x x = 0, variable x
};

// Throws InputError naming the constraint whose numbers need more than 62 bits.
WholeModel whole_model_of(const ConstrainedModel& model);

}  // namespace chainmail
