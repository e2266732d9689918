// A constrained model for kernels that only know two functions of spins: f, the objective, and one
// g >= 0 that is zero exactly on the feasible set, with slack bits and squares; and back, from
// spins to the user's variables. What is squared is the form model, after presolve.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/constrained_model.hpp"
#include "model/forms.hpp"
#include "problem/problem.hpp"
#include "problem/residual.hpp"

namespace chainmail {

// A constraint that presolve left, in g.
struct SquaredForm {
  std::string name, kind;  // the user's; one-hot, knapsack, ... by its shape
  std::size_t slack_bits = 0;
  double weight = 1.0;  // violated by the least possible amount, it adds this to g
};

struct SquaredModel {
  Problem problem;                  // the forms' bits as spins, then slack bits
  std::vector<Residual> residuals;  // of the constraints that became squares
  CompiledForms forms;
  std::vector<SquaredForm> constraints;
  std::vector<std::string> notes;  // roundings and contradictions, for the user

  std::vector<std::int64_t> decode(std::span<const Spin> spins) const;
  // As in CompiledForms: of two bit patterns of an integer with the same value only one counts.
  bool is_canonical(std::span<const Spin> spins) const;
};

SquaredModel squared(const ConstrainedModel& model);

// The problem as one function of bits, f + P g, for other solvers: a model without constraints,
// which to_lp() writes. Names are the problem's own.
ConstrainedModel qubo_of(const Problem& problem, double penalty);
// As qbsolv reads it. The format has no constant, so it is in a comment.
std::string to_qbsolv(const ConstrainedModel& qubo);

// A penalty that is always enough: no gain in f makes up for the least violation.
double safe_penalty(const SquaredModel& model);

}  // namespace chainmail
