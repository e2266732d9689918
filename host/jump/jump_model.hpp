// A form model for the jump search: whole variables with a range (bits, and integers that were
// written as bits or as a group with a state for each value), one-hot groups, rows in whole
// numbers, and pairs that clash.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/form_model.hpp"

namespace chainmail {

struct JumpVariable {
  std::int64_t upper = 1;  // from 0 on
  double cost = 0.0;       // in f, per unit
  std::uint32_t group = kNone;
  bool bit() const { return upper == 1; }
};

struct JumpRow {
  std::int64_t lower, upper;
  double unit;           // what one step beyond the limits counts, a power of two
  double price;          // of a soft row, in f
  std::int64_t largest;  // the most one flip changes the sum by
  bool plain;            // all bits, all coefficients 1

  std::int64_t violation(std::int64_t sum) const {
    const std::int64_t below = lower - sum, above = sum - upper;
    const std::int64_t worse = below > above ? below : above;
    return worse > 0 ? worse : 0;
  }
  // Half of the weight is for missing it at all, half for how far: distant rows attract, near ones
  // get closed.
  double penalty(std::int64_t sum) const {
    const std::int64_t beyond = violation(sum);
    return beyond > 0 ? 0.5 + unit * static_cast<double>(beyond) : 0.0;
  }
};

struct ClashEnd {
  std::uint32_t variable, clash;  // the other end, and the clash's number
};

struct JumpModel {
  explicit JumpModel(const FormModel& model);

  std::vector<JumpVariable> variables;
  std::vector<JumpRow> rows;
  Lists<FormTerm> columns;     // by variable: rows
  Lists<FormTerm> terms;       // by row: variables
  Lists<ClashEnd> clashes_of;  // by variable
  std::vector<std::pair<std::uint32_t, std::uint32_t>> clashes;
  Lists<Neighbour> pairs;       // of f, by variable
  Lists<std::uint32_t> groups;  // of variables
  std::vector<char> entangled;  // by group: two members are in one row
  double constant = 0.0;
  bool no_objective = false;

  std::vector<Bit> bits(std::span<const std::int64_t> values) const;
  std::vector<std::int64_t> values(std::span<const Bit> bits) const;

 private:
  void find_integers();
  void add_variables();
  void add_rows();
  void add_clashes_and_pairs();

  const FormModel* source_;
  std::vector<std::uint32_t> variable_of_;  // by bit
  std::vector<std::int64_t> weight_of_;     // by bit: what it adds to its variable
  Lists<std::uint32_t> bits_of_;            // by variable, lightest first
  std::vector<char> by_state_;              // by variable: one bit a value
  std::vector<std::uint32_t> merged_;       // by bit: the first bit of its integer, or kNone
};

}  // namespace chainmail
