// Pseudo-Boolean files, as read_opb.cpp reads them: binaries and whole numbers. Variables are x1,
// x2, ... there; comments have their names and the objective's constant.
#include <fmt/format.h>

#include "model/model_files.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

void expect(bool holds, const std::string& what) {
  if (!holds) throw InputError(what + " cannot be written as OPB; LP holds everything");
}

std::string whole(const Decimal& value, const std::string& where) {
  expect(value.whole() && value.magnitude() <= Decimal(0x1.0p53),
         "the number " + value.text() + " of " + where);
  return (value.negative() ? "" : "+") + value.text();
}

std::string terms(const Expression& e, const std::string& where, int sign) {
  std::string text;
  const auto add = [&](const Decimal& coefficient, const auto&... variables) {
    text += whole(sign * coefficient, where);
    ((text += fmt::format(" x{}", variables + 1)), ...);
    text += " ";
  };
  for (const LinearTerm& t : e.linear) add(t.coefficient, t.variable);
  for (const ProductTerm& t : e.products) add(t.coefficient, t.i, t.j);
  for (const Monomial& t : e.monomials) {
    text += whole(sign * t.coefficient, where);
    for (std::uint32_t v : t.variables) text += fmt::format(" x{}", v + 1);
    text += " ";
  }
  return text.empty() ? "+0 x1 " : text;
}

}  // namespace

std::string to_opb(const ConstrainedModel& model) {
  std::string rows;
  std::size_t count = 0;
  const auto add = [&](const std::string& left, const char* relation, const std::string& right) {
    rows += fmt::format("{}{} {} ;\n", left, relation, right);
    ++count;
  };
  for (const ModelConstraint& c : model.constraints) {
    const std::string which = "the constraint '" + c.name + "'";
    expect(!c.when, which + " with an indicator");
    expect(c.price.zero(), which + ", which is soft,");
    const Decimal lower = c.lower - c.left.constant, upper = c.upper - c.left.constant;
    if (lower == upper) {
      add(terms(c.left, which, 1), "=", whole(upper, which));
      continue;
    }
    if (lower.finite()) add(terms(c.left, which, 1), ">=", whole(lower, which));
    if (upper.finite()) add(terms(c.left, which, -1), ">=", whole(-upper, which));
  }
  for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
    const ModelVariable& x = model.variables[v];
    expect(!x.spin && is_binary(x), "the variable '" + x.name + "', which is not binary,");
    const bool one = x.lower > 0, zero = x.upper < 1;
    if (one || zero) add(fmt::format("+1 x{} ", v + 1), "=", one ? "1" : "0");
  }
  for (const ModelSet& set : model.sets) {
    Expression some;
    for (std::uint32_t v : set.variables) some.linear.push_back({v, 1});
    add(terms(some, "the set '" + set.name + "'", -1), ">=", "-1");
  }
  std::string text =
      fmt::format("* #variable= {} #constraint= {}\n", model.variables.size(), count);
  for (std::size_t v = 0; v < model.variables.size(); ++v) {
    const std::string& name = model.variables[v].name;
    if (name != fmt::format("x{}", v + 1)) text += fmt::format("* x{} is {}\n", v + 1, name);
  }
  if (!model.objective.constant.zero()) {
    text += fmt::format("* constant {}\n", model.objective.constant.text());
  }
  // The competitions only minimise, and have no objective where every solution is as good.
  if (!model.no_objective()) {
    const bool maximise = model.sense == Sense::maximise;
    if (maximise) text += "* what is maximised, with the other sign\n";
    text += "min: " + terms(model.objective, "the objective", maximise ? -1 : 1) + ";\n";
  }
  return text + rows;
}

}  // namespace chainmail
