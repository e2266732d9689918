// The objective of a form model in whole numbers of one unit, next to the doubles that the search
// uses. Whether a state is as good as a bound or a target is decided here, without constants and
// fixed variables, exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problem/form_model.hpp"
#include "support/decimal.hpp"

namespace chainmail {

// f as it was written: of a state, constant + the sum of what is on + prices of what is missed.
struct ExactObjective {
  Decimal constant;
  std::vector<Decimal> linear;     // by bit
  std::vector<Decimal> pairs;      // as FormModel::pairs.items
  std::vector<Decimal> monomials;  // as FormModel::monomials
  std::vector<Decimal> prices;     // by form; 0: it is hard
};

struct WholeObjective {
  Decimal constant;  // f = constant + unit * (the sum in whole numbers)
  Decimal unit = 1;
  bool fits = true;                                    // all sums fit 62 bits
  bool too_wide = false;                               // not even 110: the lists are empty
  std::vector<Wide> linear, pairs, monomials, prices;  // as in ExactObjective
  Wide least = 0;                                      // no sum is lower, whatever is on
  // FormModel::f orders states as the whole numbers do; else it only nearly does.
  bool ordered = false;
  double rounding = 0.0;  // FormModel::f is off by no more than this
  std::string note;       // what the search had to round, for the user

  // What FormModel::f must not exceed for f <= value to hold.
  double threshold(const Decimal& value) const;

  // Prices beyond everything else together are lowered in FormModel::f, from multiples of `price`
  // to multiples of `lowered`, where it could not hold both; 0: they are as given.
  Wide price = 0, lowered = 0;
};

// Fills the doubles of `model` (linear, pairs, monomials, prices; the constant stays apart) from
// `exact`.
WholeObjective settle_objective(const ExactObjective& exact, FormModel& model);

}  // namespace chainmail
