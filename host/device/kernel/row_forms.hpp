// A form model as a row kernel holds it (docs/rows.md): bits on rows, groups on adjacent ones,
// forms in banks such that those of a bit lie in different ones, and one scale that turns weights
// into whole factors. Feasible states are feasible exactly; weights are rounded.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "problem/form_model.hpp"
#include "topology/topology.hpp"

namespace chainmail {

struct RowForms {
  struct Entry {
    std::int64_t coefficient = 0;  // 0: none
    std::size_t number = 0;
    bool equality = false, first = false;
    std::int64_t start = 0;
  };
  struct Row {
    std::uint32_t bit = kNone;  // none: the row settles the group before it (row kernel)
    bool member = false, begin = false, last = false;
    std::array<Entry, rows_contract::kMostForms> entries;
    std::vector<std::uint32_t> products;
  };
  std::vector<Row> rows;
  std::vector<std::uint32_t> row_of;  // by bit
  Quadratic energy;                   // f by row
  unsigned shift = 0;                 // a unit of the model's g is 2^shift of the kernel's
  double weight_change = 0.0;         // largest, of a form's weight, as a share of it
};

std::uint64_t row_flag(bool set, unsigned at);          // of a record's first word
std::uint64_t form_word(const RowForms::Entry& entry);  // of a record, 0 for none

// `beta_penalty` is the largest beta P to come, 0 where it is not known. Throws InputError, with
// numbers, for what the topology does not hold.
RowForms arrange_forms(const FormModel& model, const Topology& topology, double beta_penalty);

}  // namespace chainmail
