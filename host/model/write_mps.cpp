// Free MPS, as read_mps.cpp reads it: linear models, with sets of kind S1 and indicators. All are
// minimised: of three readers tried, one ignores OBJSENSE and one refuses it.
#include <fmt/format.h>

#include "model/model_files.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::string checked(const std::string& name) {
  const bool bad = name.empty() || name.find_first_of(" \t'") != std::string::npos ||
                   name.starts_with('*') || name.starts_with('$');
  if (bad) throw InputError("the name '" + name + "' cannot be written as MPS");
  return name;
}

void expect_linear(const ConstrainedModel& model) {
  const auto expect = [](bool holds, const std::string& what) {
    if (!holds) throw InputError(what + " cannot be written as MPS; LP holds everything");
  };
  const auto linear = [](const Expression& e) { return e.products.empty() && e.monomials.empty(); };
  expect(linear(model.objective), "an objective with products");
  for (const ModelVariable& v : model.variables) expect(!v.spin, "the spin '" + v.name + "'");
  for (const ModelConstraint& c : model.constraints) {
    const std::string which = "the constraint '" + c.name + "'";
    expect(linear(c.left), which + " with products");
    expect(c.price.zero(), which + ", which is soft,");
    expect(c.name != model.objective_name, which + ", named like the objective,");
  }
}

std::string bounds_of(const ModelVariable& v) {
  const std::string& name = checked(v.name);
  if (v.lower == 0 && v.upper == 1) return fmt::format(" BV bnd {}\n", name);
  if (v.lower == v.upper) return fmt::format(" FX bnd {} {}\n", name, v.lower.text());
  return (v.lower.finite() ? fmt::format(" LO bnd {} {}\n", name, v.lower.text())
                           : fmt::format(" MI bnd {}\n", name)) +
         (v.upper.finite() ? fmt::format(" UP bnd {} {}\n", name, v.upper.text())
                           : fmt::format(" PL bnd {}\n", name));
}

}  // namespace

std::string to_mps(const ConstrainedModel& model) {
  expect_linear(model);
  const std::string objective = checked(model.objective_name);
  const bool maximise = model.sense == Sense::maximise;
  const auto minimised = [&](const Decimal& value) { return maximise ? -value : value; };
  std::string rows = "ROWS\n N  " + objective + "\n", rights, ranges, indicators;
  // By variable, each with a line at least so that it is known.
  std::vector<std::string> columns;
  for (const ModelVariable& v : model.variables) {
    columns.push_back(fmt::format("    {} {} 0\n", checked(v.name), objective));
  }
  for (const LinearTerm& t : model.objective.linear) {
    columns[t.variable] = fmt::format("    {} {} {}\n", model.variables[t.variable].name, objective,
                                      minimised(t.coefficient).text());
  }
  if (!model.objective.constant.zero()) {
    rights +=
        fmt::format("    rhs {} {}\n", objective, minimised(-model.objective.constant).text());
  }
  for (const ModelConstraint& c : model.constraints) {
    const Decimal lower = c.lower - c.left.constant, upper = c.upper - c.left.constant;
    const bool equation = lower == upper;
    const char kind = equation ? 'E' : upper.finite() ? 'L' : lower.finite() ? 'G' : 'N';
    rows += fmt::format(" {}  {}\n", kind, checked(c.name));
    for (const LinearTerm& t : c.left.linear) {
      columns[t.variable] += fmt::format("    {} {} {}\n", model.variables[t.variable].name, c.name,
                                         t.coefficient.text());
    }
    if (kind != 'N') {
      rights += fmt::format("    rhs {} {}\n", c.name, (kind == 'G' ? lower : upper).text());
    }
    if (kind == 'L' && lower.finite()) {
      ranges += fmt::format("    rng {} {}\n", c.name, (upper - lower).text());
    }
    if (c.when) {
      indicators += fmt::format(" IF {} {} {}\n", c.name, model.variables[c.when->variable].name,
                                c.when->value ? 1 : 0);
    }
  }
  std::string text = "NAME " + model.name + "\n";
  if (maximise) text = "* what is maximised, with the other sign\n" + text;
  text += rows + "COLUMNS\n    M1 'MARKER' 'INTORG'\n";
  for (const std::string& column : columns) text += column;
  text += "    M1 'MARKER' 'INTEND'\nRHS\n" + rights;
  if (!ranges.empty()) text += "RANGES\n" + ranges;
  text += "BOUNDS\n";
  for (const ModelVariable& v : model.variables) text += bounds_of(v);
  if (!model.sets.empty()) text += "SOS\n";
  for (const ModelSet& set : model.sets) {
    text += fmt::format(" S1 SOS {} 1\n", checked(set.name));
    for (std::size_t k = 0; k < set.variables.size(); ++k) {
      text += fmt::format("    SOS {} {}\n", model.variables[set.variables[k]].name, k + 1);
    }
  }
  if (!indicators.empty()) text += "INDICATORS\n" + indicators;
  return text + "ENDATA\n";
}

}  // namespace chainmail
