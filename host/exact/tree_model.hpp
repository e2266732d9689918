// What is solved exactly: minimise f, a polynomial of bits, in whole numbers, with the constraints
// of a FormModel (problem/form_model.hpp) and perhaps a quadratic g >= 0 that must stay below a
// limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "exact/whole.hpp"
#include "problem/form_model.hpp"
#include "problem/problem.hpp"

namespace chainmail {

struct WholePair {
  std::uint32_t i, j;  // i < j
  Wide value;
};

struct WholeMonomial {
  std::vector<std::uint32_t> bits;  // three or more, no two in a group
  Wide value;
};

struct WholeFunction {
  Wide constant = 0;
  std::vector<Wide> linear;  // by bit
  std::vector<WholePair> pairs;
  std::vector<WholeMonomial> monomials = {};
};

struct WholeLimits {
  std::int64_t lower, upper;
  Wide price = 0;  // in f, of each unit beyond the limits; 0: the form must hold
};

struct TreeModel {
  std::size_t bits = 0;
  WholeFunction f;
  std::optional<WholeFunction> g;
  Wide g_limit = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> clashes;  // never both one
  Lists<FormTerm> forms;
  std::vector<WholeLimits> limits;
  Lists<std::uint32_t> groups;  // exactly one bit of each is one
  WholeUnit unit;               // of f

  bool constrained() const { return g || !clashes.empty() || !limits.empty(); }
};

// Nothing where sums would not fit into whole numbers of 120 bits. A bit is one where the spin is
// up. Numbers are doubles as they are, or the decimals that people write for them.
enum class Numbers { binary, decimal };
std::optional<TreeModel> tree_model(const Problem& problem, Numbers numbers = Numbers::binary);
std::optional<TreeModel> tree_model(const FormModel& model);  // without its monomials

// Independent parts, and the bits of each, ascending.
struct TreePart {
  TreeModel model;
  std::vector<std::uint32_t> bits;
};
std::vector<TreePart> parts_of(const TreeModel& model);

}  // namespace chainmail
