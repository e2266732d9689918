// What the CPU runs for a constrained problem: f, a polynomial of bits, and constraints as
// written. Pairs of bits that must not both be one (clashes), linear forms lower <= a x <= upper in
// whole numbers, and groups of which exactly one bit is one: a group is one variable with as many
// states as members, and never violated.
//   g = clashes + sum_c weight_c * (violation of form c)
// is zero exactly where everything holds. Soft forms have a price instead of a weight:
// their violation is part of f.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

using Bit = std::uint8_t;  // 0 or 1

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
// Sums of a form stay within these; as a limit they mean that there is none.
inline constexpr std::int64_t kNoLower = -(std::int64_t{1} << 61), kNoUpper = -kNoLower;

// Concatenated lists: list k is items[start[k]] to items[start[k + 1]].
template <typename T>
struct Lists {
  std::vector<std::size_t> start{0};
  std::vector<T> items;

  std::size_t size() const { return start.size() - 1; }
  std::span<const T> operator[](std::size_t k) const {
    return {items.data() + start[k], start[k + 1] - start[k]};
  }
  void close() { start.push_back(items.size()); }  // ends the list whose items were pushed last
};

struct FormTerm {
  std::int64_t coefficient;
  std::uint32_t index;  // of the bit in a form, of the form at a bit
};

struct FormLimits {
  std::int64_t lower, upper;
  double weight;       // in g
  double price = 0.0;  // in f; a soft form has no weight

  bool soft() const { return price > 0.0; }
  std::int64_t violation(std::int64_t sum) const {
    const std::int64_t below = lower - sum, above = sum - upper;
    const std::int64_t worse = below > above ? below : above;
    return worse > 0 ? worse : 0;
  }
};

// A product of three or more bits is one where all of them are; of spins, it is -1 where an odd
// number of them is down, else 1.
struct MonomialValue {
  double value;
  Bit spins = 0;  // 1: of spins
};

struct FormModel {
  std::size_t bits = 0;

  double constant = 0.0;
  std::vector<double> linear;      // by bit
  Lists<Neighbour> pairs;          // by bit, ascending: products of f, each at both ends
  Lists<std::uint32_t> monomials;  // longer products of f: their bits, no two in a group;
  std::vector<MonomialValue> monomial_values;  // those of spins: none in a group
  Lists<std::uint32_t> clashes;                // by bit, ascending, each at both ends
  Lists<FormTerm> forms;                       // terms by bit
  std::vector<FormLimits> limits;
  Lists<std::uint32_t> groups;
  // Follow from the above: finish().
  Lists<FormTerm> at_bit;                // the forms a bit is in, ascending
  Lists<std::uint32_t> monomials_at;     // and the monomials
  std::vector<std::uint32_t> group_of;   // by bit, or kNone
  std::vector<std::uint32_t> free_bits;  // in no group
  std::vector<std::int64_t> reach;       // by form: an equation's second least coefficient, or 0

  void finish();
  bool no_objective() const;  // f is constant

  double f(std::span<const Bit> x) const;
  double g(std::span<const Bit> x) const;
  std::size_t violated(std::span<const Bit> x) const;  // clashes, hard forms and groups

  // Feasible, or violating only equations, each by so little (below its second least coefficient)
  // that no single flip brings it closer: a larger penalty no longer helps, only luck does.
  bool as_near_as_can_be(std::span<const Bit> x) const;
  // By form: whether the state violates it.
  std::vector<bool> violated_forms(std::span<const Bit> x) const;
  // Where replicas start: as near to zero as groups allow.
  std::vector<Bit> origin() const;
  bool groups_hold(std::span<const Bit> x) const;
};

}  // namespace chainmail
