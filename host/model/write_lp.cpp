#include <fmt/format.h>

#include <algorithm>

#include "model/model_files.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

// Line length stays below the 510 characters that CPLEX reads.
class Writer {
 public:
  void word(const std::string& text) {
    constexpr std::size_t kWidth = 90;
    if (column_ + text.size() > kWidth) {
      out_ += "\n  ";
      column_ = 2;
    }
    out_ += " " + text;
    column_ += text.size() + 1;
  }
  void line(const std::string& text) {
    out_ += text + "\n";
    column_ = 0;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::size_t column_ = 0;
};

std::string checked(const std::string& name) {
  constexpr std::string_view kForbidden = " +-*^/[]:<>=\\";
  const bool bad = name.empty() || name.find_first_of(kForbidden) != std::string::npos ||
                   (name[0] >= '0' && name[0] <= '9') || name[0] == '.';
  if (bad) throw InputError("the name '" + name + "' cannot be written in the LP format");
  return name;
}

std::string signed_number(const Decimal& value, bool omit_one) {
  const std::string sign = value.negative() ? "-" : "+";
  const Decimal size = value.magnitude();
  return omit_one && size == 1 ? sign : sign + " " + size.text();
}

void write_terms(Writer& out, const ConstrainedModel& model, const Expression& e, bool halves) {
  const auto name = [&](std::uint32_t v) { return checked(model.variables[v].name); };
  for (const LinearTerm& t : e.linear) {
    out.word(signed_number(t.coefficient, true) + " " + name(t.variable));
  }
  if (!e.products.empty() || !e.monomials.empty()) {
    out.word("+ [");
    const auto size = [&](const Decimal& c) { return signed_number(halves ? 2 * c : c, true); };
    for (const ProductTerm& t : e.products) {
      out.word(size(t.coefficient) + " " + name(t.i) + (t.i == t.j ? " ^ 2" : " * " + name(t.j)));
    }
    for (const Monomial& t : e.monomials) {
      std::string text = size(t.coefficient) + " " + name(t.variables.front());
      for (std::size_t k = 1; k < t.variables.size(); ++k) text += " * " + name(t.variables[k]);
      out.word(text);
    }
    out.word(halves ? "] / 2" : "]");
  }
  if (!e.constant.zero()) out.word(signed_number(e.constant, false));
}

void write_constraint(Writer& out, const ConstrainedModel& model, const ModelConstraint& c) {
  const bool range = c.lower != c.upper && c.lower.finite() && c.upper.finite();
  out.word(checked(c.name) + ":");
  if (c.when) {
    out.word(checked(model.variables[c.when->variable].name) + (c.when->value ? " = 1" : " = 0"));
    out.word("->");
  }
  if (range) out.word(c.lower.text() + " <=");
  if (c.left.linear.empty() && is_linear(c)) {
    out.word("0 " + checked(model.variables[0].name));  // a relation needs a left side
  }
  write_terms(out, model, c.left, false);
  if (c.lower == c.upper) {
    out.word("= " + c.upper.text());
  } else if (c.upper.finite()) {
    out.word("<= " + c.upper.text());
  } else {
    out.word(">= " + c.lower.text());
  }
  out.line("");
}

void write_prices(Writer& out, const ConstrainedModel& model) {
  bool any = false;
  for (const ModelConstraint& c : model.constraints) {
    if (c.price.zero()) continue;
    if (!any) out.line("Soft Constraints");
    any = true;
    out.line(" " + checked(c.name) + " " + c.price.text());
  }
}

void write_sets(Writer& out, const ConstrainedModel& model) {
  if (!model.sets.empty()) out.line("SOS");
  for (const ModelSet& set : model.sets) {
    out.word(checked(set.name) + ": S1::");
    for (std::size_t k = 0; k < set.variables.size(); ++k) {
      out.word(fmt::format("{}:{}", checked(model.variables[set.variables[k]].name), k + 1));
    }
    out.line("");
  }
}

std::string bound(const Decimal& value) {
  return value == Decimal::infinity() ? "+inf" : value.text();
}

}  // namespace

std::string to_lp(const ConstrainedModel& model) {
  Writer out;
  if (!model.name.empty()) out.line("\\ " + model.name);
  out.line(model.sense == Sense::minimise ? "Minimize" : "Maximize");
  out.word(checked(model.objective_name) + ":");
  Expression objective = model.objective;
  // Variables that occur nowhere else are listed here with a factor of zero.
  std::vector<bool> met(model.variables.size(), false);
  const auto meet = [&](const Expression& e) {
    for (const LinearTerm& t : e.linear) met[t.variable] = true;
    for (const ProductTerm& t : e.products) met[t.i] = met[t.j] = true;
    for (const Monomial& t : e.monomials) {
      for (std::uint32_t v : t.variables) met[v] = true;
    }
  };
  meet(objective);
  for (const ModelConstraint& c : model.constraints) {
    meet(c.left);
    if (c.when) met[c.when->variable] = true;
  }
  for (std::uint32_t v = 0; v < met.size(); ++v) {
    if (!met[v]) objective.linear.push_back({v, 0.0});
  }
  write_terms(out, model, objective, true);
  out.line("");
  out.line("Subject To");
  for (const ModelConstraint& c : model.constraints) write_constraint(out, model, c);

  write_prices(out, model);
  const auto is_usual = [](const ModelVariable& v) {
    return v.upper == 1 && v.lower == (v.spin ? -1 : 0);
  };
  const auto section = [&](const ModelVariable& v) {
    return v.spin ? "Spins" : is_usual(v) ? "Binary" : "General";
  };
  out.line("Bounds");
  for (const ModelVariable& v : model.variables) {
    if (!is_usual(v)) {
      out.line(" " + bound(v.lower) + " <= " + checked(v.name) + " <= " + bound(v.upper));
    }
  }
  for (const std::string_view heading : {"General", "Binary", "Spins"}) {
    const auto here = [&](const ModelVariable& v) { return section(v) == heading; };
    if (heading == "Spins" && std::none_of(model.variables.begin(), model.variables.end(), here)) {
      continue;
    }
    out.line(std::string(heading));
    for (const ModelVariable& v : model.variables) {
      if (here(v)) out.word(v.name);
    }
    out.line("");
  }
  write_sets(out, model);
  out.line("End");
  return out.take();
}

ConstrainedModel with_plain_names(ConstrainedModel model) {
  for (std::size_t v = 0; v < model.variables.size(); ++v) {
    model.variables[v].name = "x" + std::to_string(v + 1);
  }
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    model.constraints[c].name = "c" + std::to_string(c + 1);
  }
  model.name.clear();
  model.objective_name = "objective";
  return model;
}

}  // namespace chainmail
