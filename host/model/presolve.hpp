// What follows from the constraints alone, before anything is searched: bounds, fixed variables,
// rows that always hold, rows given twice, common factors (and with them parity), pairs that
// exclude each other, slack variables that a range can replace. No feasible solution is lost. Soft
// constraints imply nothing here.
#pragma once

#include <string>
#include <vector>

#include "model/whole_model.hpp"

namespace chainmail {

// A variable in only one equation is determined by it: value = (total - sum) * sign.
struct SlackOf {
  std::uint32_t variable;
  std::uint32_t constraint;  // the equation
  std::int64_t sign, total;  // sign +1 or -1
  std::vector<WholeTerm64> terms;
};

// What a conclusion was drawn from: a constraint, with one variable of it at whatever its bounds
// allow, or kNone.
struct RowUse {
  std::uint32_t constraint, without;
};
// A bound that follows from the rows uses[use] and the bounds before it; without a variable: those
// rows cannot hold.
struct BoundStep {
  std::uint32_t use, variable;
  bool upper;
  std::int64_t value;
};

struct Presolved {
  WholeModel model;             // without what is fixed or redundant
  std::vector<SlackOf> slacks;  // their variables are in no form any more
  Expression objective;         // without slack variables
  std::string infeasible;       // why no values satisfy all constraints; empty: not proved
  std::size_t fixed = 0, dropped = 0;
  std::vector<std::vector<RowUse>> uses;
  std::vector<BoundStep> steps;
};

// Whether sums of the form fit 62 bits; moves limits that none of them reaches to just beyond all.
bool narrow(WholeForm& form, const std::vector<WholeInterval>& bounds);

// Throws InputError naming a variable that remains unbounded, or whose bounds are too far apart.
enum class Slacks { substitute, keep };
Presolved presolve(const ConstrainedModel& model, Slacks slacks = Slacks::substitute);

}  // namespace chainmail
