#include "squares/squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "problem/qubo_matrix.hpp"

namespace chainmail {

namespace {

void add(Expression& to, double factor, const Quadratic& q) {
  in_bits(
      q, [&](double c) { to.constant += factor * c; },
      [&](std::uint32_t i, double c) {
        to.linear.push_back({i, factor * c});
      },
      [&](std::uint32_t i, std::uint32_t j, double c) {
        to.products.push_back({i, j, factor * c});
      });
}

}  // namespace

ConstrainedModel qubo_of(const Problem& problem, double penalty) {
  ConstrainedModel qubo;
  qubo.name = problem.name;
  qubo.objective_name = "energy";
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const bool named = !problem.names.empty();
    qubo.variables.push_back({named ? problem.names[i] : "x" + std::to_string(i), 0.0, 1.0});
  }
  add(qubo.objective, 1.0, problem.objective);
  if (problem.constraint) add(qubo.objective, penalty, *problem.constraint);
  qubo.objective.normalise();
  return qubo;
}

std::string to_qbsolv(const ConstrainedModel& qubo) {
  const Expression& f = qubo.objective;
  std::string text;
  if (f.constant != Decimal(0)) text += "c constant " + f.constant.text() + "\n";
  text +=
      fmt::format("p qubo 0 {} {} {}\n", qubo.variables.size(), f.linear.size(), f.products.size());
  for (const LinearTerm& t : f.linear) {
    text += fmt::format("{} {} {}\n", t.variable, t.variable, t.coefficient.text());
  }
  for (const ProductTerm& t : f.products) {
    text += fmt::format("{} {} {}\n", t.i, t.j, t.coefficient.text());
  }
  return text;
}

double safe_penalty(const SquaredModel& model) {
  double range = 1.0;
  for (const Coupling& c : model.problem.objective.couplings) range += 2.0 * std::abs(c.value);
  for (double h : model.problem.objective.fields) range += 2.0 * std::abs(h);
  double least = 1.0;
  for (const SquaredForm& c : model.constraints) least = std::min(least, c.weight);
  return range / least;
}

}  // namespace chainmail
