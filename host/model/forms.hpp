// From a constrained model to the form model the CPU runs, with constraints as written, and back
// from bits to the user's variables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/constrained_model.hpp"
#include "model/presolve.hpp"
#include "model/whole_objective.hpp"
#include "problem/form_model.hpp"

namespace chainmail {

struct FormBit {
  std::uint32_t bit;
  std::int64_t weight;
};

struct CompiledForms {
  FormModel model;
  std::string infeasible;          // why there is no solution, if proved
  std::vector<std::string> notes;  // what presolve found, for the user
  WholeObjective objective;        // f in whole numbers: what compares states and bounds
  std::optional<Decimal> bound;    // no solution has a lower f, with its constant

  // In the user's variables.
  std::vector<std::int64_t> decode(std::span<const Bit> x) const;
  // The nearest state: values outside the bounds that presolve found are moved to them.
  std::vector<Bit> encode(std::span<const std::int64_t> values) const;
  // Whether this is the canonical state for its values: an integer's bits may have two patterns for
  // one value. A sampler that skips the others draws values, not bit patterns.
  bool is_canonical(std::span<const Bit> x) const;

  struct Expansion {
    std::int64_t lower = 0;
    std::vector<FormBit> bits;
    bool group = false;  // bit k alone is one: the value is lower + k
  };
  std::vector<Expansion> variables;                    // by variable of the plain model
  std::size_t given = 0;                               // how many of them are the user's
  std::vector<std::vector<std::uint32_t>> nonzero_of;  // of the others (model/plain_model.hpp)
  std::vector<SlackOf> slacks;

  // What the proof of `infeasible` or of `bound` rests on (run/certify.hpp), in the rows and
  // variables of the plain model.
  std::vector<std::vector<RowUse>> uses;
  std::vector<BoundStep> steps;
  std::vector<std::uint32_t> group_uses;               // of constraints that became groups
  std::vector<std::uint32_t> form_uses;                // by form, or kNone
  std::vector<std::string> row_names, variable_names;  // of a plain model that is not the user's
  std::vector<std::uint32_t> none_bits;                // by group: its bit for "none", or kNone
  std::vector<std::uint32_t> form_rows;                // by form: its constraint, or kNone
};

// For sampling integers have a state for each value wherever that is affordable, so that nearly
// every state is canonical. Squares (squares/squares.hpp) have no groups.
enum class FormsFor { solving, sampling, squares };
// Weights of bits for 0 ... range, e.g. 10: 1, 2, 4, 3.
std::vector<std::int64_t> expansion_weights(std::int64_t range);

CompiledForms compile_forms(const ConstrainedModel& model, FormsFor purpose = FormsFor::solving);

}  // namespace chainmail
