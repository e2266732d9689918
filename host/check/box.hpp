// What a proof has shown so far, a box of variables' bounds, and what a linear row can still be in
// it.
#pragma once

#include <optional>
#include <vector>

#include "check/model.hpp"

namespace chainmail::checker {

Integer floor_of(const Rational& value);
Integer ceil_of(const Rational& value);

struct Bounds {
  std::optional<Integer> lower, upper;
  bool fixed() const { return lower && upper && *lower == *upper; }
  bool empty() const { return lower && upper && *lower > *upper; }
  bool binary() const { return lower && upper && *lower == 0 && *upper == 1; }
};
using Box = std::vector<Bounds>;

// lower <= sum of terms <= upper
struct Linear {
  Terms terms;
  std::optional<Rational> lower, upper;
};

// The least, or the most, that c x can be; nothing: there is no limit.
std::optional<Rational> extreme(const Rational& c, const Bounds& b, bool least);
// What a product of variables lies between; nothing where one of them has no limit.
std::optional<std::pair<Integer, Integer>> product_range(const std::vector<std::size_t>& factors,
                                                         const Box& box);
// The least that c times a product can be; nothing: there is no limit.
std::optional<Rational> least_product(const Rational& c, const std::vector<std::size_t>& factors,
                                      const Box& box);
// The largest number of which all of these are whole multiples; 0 of none.
Rational common_unit(const std::vector<Rational>& values);
// Removes fixed variables from the terms, and rounds the limits to what whole values can reach.
Linear reduced(Linear row, const Box& box);
bool cannot_hold(const Linear& row, const Box& box);

}  // namespace chainmail::checker
