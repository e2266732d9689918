// The CPLEX LP format, read token by token: sections in their order, terms in any spacing. Section
// headings count only at the start of a line, as CPLEX has it. Anything unknown is refused, as is a
// file without its End, which may have been truncated.
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "model/lp_tokens.hpp"
#include "model/model_formats.hpp"
#include "problem/text_lines.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

using Kind = LpToken::Kind;
constexpr int kMostPower = 9;

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& path) : tokens_(text, path) {}

  ConstrainedModel read() {
    read_objective();
    read_constraints();
    for (;;) {
      if (tokens_.peek().kind != Kind::heading) {
        tokens_.fail_expected("a section (Bounds, General, Binary, Spins, SOS) or End");
      }
      const LpToken heading = tokens_.take();
      if (heading.section == LpSection::end) break;
      read_section(heading);
    }
    if (tokens_.peek().kind != Kind::finish) tokens_.fail_expected("nothing after End");
    finish();
    return std::move(model_);
  }

 private:
  struct Known {
    std::size_t line;                            // where it first occurred
    bool integer = false;                        // listed under General, Binary or Spins
    std::size_t lower_line = 0, upper_line = 0;  // where its bounds were given
  };

  bool at_section_end() const {
    return tokens_.peek().kind == Kind::heading || tokens_.peek().kind == Kind::finish;
  }

  std::uint32_t variable(const LpToken& token) {
    const auto [found, fresh] =
        index_.try_emplace(token.text, static_cast<std::uint32_t>(model_.variables.size()));
    if (fresh) {
      model_.variables.push_back({std::string(token.text), 0.0, kUnbounded});
      known_.push_back({token.line});
    }
    return found->second;
  }

  std::uint32_t declared(const LpToken& token) const {
    const auto found = index_.find(token.text);
    if (found == index_.end()) {
      tokens_.fail(token.line,
                   "expected a section or a variable of the objective or a constraint, "
                   "found " +
                       in_quotes(token.text));
    }
    return found->second;
  }

  // "label:" if there is one.
  std::string label() {
    if (tokens_.peek().kind != Kind::name || !tokens_.peek_after().is(":")) return {};
    const LpToken name = tokens_.take();
    tokens_.take();
    return std::string(name.text);
  }

  // Signs before a term. One is needed between terms; "+ -3 x" is allowed.
  bool sign(Decimal& value) {
    bool any = false;
    for (int k = 0; k < 2; ++k) {
      if (tokens_.accept("-")) {
        value = -value;
      } else if (!tokens_.accept("+")) {
        break;
      }
      any = true;
    }
    return any;
  }

  // coefficient? name | coefficient | [ products ]; everything is multiplied by `factor`.
  void read_term(Expression& to, const Decimal& factor, bool in_objective) {
    if (tokens_.accept("[")) {
      read_products(to, factor, in_objective);
      return;
    }
    const LpToken token = tokens_.peek();
    Decimal coefficient = 1;
    if (token.kind == Kind::number) {
      coefficient = tokens_.take().value;
      if (tokens_.peek().kind != Kind::name) {
        to.constant += factor * coefficient;
        return;
      }
    }
    if (tokens_.peek().kind != Kind::name) tokens_.fail_expected("a number or a variable");
    to.linear.push_back({variable(tokens_.take()), factor * coefficient});
  }

  // variable * variable ..., each perhaps with a power.
  std::vector<std::uint32_t> read_factors() {
    std::vector<std::uint32_t> factors;
    do {
      if (tokens_.peek().kind != Kind::name) {
        tokens_.fail_expected(factors.empty() ? "a variable" : "a variable after *");
      }
      const std::uint32_t v = variable(tokens_.take());
      factors.push_back(v);
      if (!tokens_.accept("^")) continue;
      const LpToken& power = tokens_.peek();
      if (power.kind != Kind::number || !power.value.whole() || power.value < 2 ||
          power.value > kMostPower) {
        tokens_.fail_expected(fmt::format("a whole number from 2 to {} after ^", kMostPower));
      }
      factors.insert(factors.end(), static_cast<std::size_t>(power.value.mantissa()) - 1, v);
      tokens_.take();
    } while (tokens_.accept("*"));
    if (factors.size() < 2) tokens_.fail_expected("* or ^ in a product");
    return factors;
  }

  void read_products(Expression& to, const Decimal& factor, bool in_objective) {
    Expression products;
    bool first = true;
    while (!tokens_.accept("]")) {
      Decimal coefficient = 1;
      if (!sign(coefficient) && !first) tokens_.fail_expected("+, - or ]");
      first = false;
      if (tokens_.peek().kind == Kind::number) coefficient = coefficient * tokens_.take().value;
      products.add(read_factors(), factor * coefficient);
    }
    if (in_objective) {
      if (!tokens_.accept("/")) tokens_.fail_expected("/ 2 after ] in the objective");
      if (tokens_.peek().kind != Kind::number || tokens_.peek().value != 2) {
        tokens_.fail_expected("2 after ] /");
      }
      tokens_.take();
      for (ProductTerm& t : products.products) t.coefficient = t.coefficient.half();
      for (Monomial& t : products.monomials) t.coefficient = t.coefficient.half();
    }
    to.products.insert(to.products.end(), products.products.begin(), products.products.end());
    to.monomials.insert(to.monomials.end(), products.monomials.begin(), products.monomials.end());
  }

  // Terms up to something that is neither a sign nor a term.
  void read_expression(Expression& to, const Decimal& factor, bool in_objective) {
    for (bool first = true;; first = false) {
      Decimal signed_factor = factor;
      const bool has_sign = sign(signed_factor);
      const LpToken& next = tokens_.peek();
      const bool term = next.kind == Kind::number || next.kind == Kind::name || next.is("[");
      if (!has_sign && (!first || !term)) return;
      read_term(to, signed_factor, in_objective);
    }
  }

  void read_objective() {
    const LpToken heading = tokens_.peek();
    const bool is_objective =
        heading.section == LpSection::minimise || heading.section == LpSection::maximise;
    if (!is_objective) tokens_.fail_expected("Minimize or Maximize");
    tokens_.take();
    model_.sense = heading.section == LpSection::minimise ? Sense::minimise : Sense::maximise;
    const std::string name = label();
    if (!name.empty()) model_.objective_name = name;
    try {
      read_expression(model_.objective, 1, true);
      model_.objective.normalise();
    } catch (const TooManyDigits& fault) {
      tokens_.fail(heading.line, fault.what());
    }
    if (!at_section_end()) tokens_.fail_expected("+, - or a section after the objective");
  }

  void read_constraints() {
    const LpSection next = tokens_.peek().section;
    const bool none = next == LpSection::bounds || next == LpSection::general ||
                      next == LpSection::binary || next == LpSection::spins ||
                      next == LpSection::soft || next == LpSection::sets || next == LpSection::end;
    if (none) return;
    if (next != LpSection::constraints) tokens_.fail_expected("Subject To");
    tokens_.take();
    while (!at_section_end()) {
      const std::size_t line = tokens_.peek().line;
      ModelConstraint c;
      c.name = label();
      new_constraint_name(c.name, line);
      read_relations(c);
      model_.constraints.push_back(std::move(c));
    }
  }

  void new_constraint_name(const std::string& name, std::size_t line) {
    if (!name.empty() && !constraint_names_.insert(name).second) {
      tokens_.fail(line, "expected a new name, found a second constraint " + in_quotes(name));
    }
  }

  std::string_view relation() {
    for (std::string_view symbol : {"<=", ">=", "="}) {
      if (tokens_.accept(symbol)) return symbol;
    }
    tokens_.fail_expected("+, - or a relation (<=, >=, =)");
  }

  Decimal right_side() {
    Decimal value = 1;
    sign(value);
    if (tokens_.peek().kind != Kind::number) tokens_.fail_expected("a number on the right side");
    return value * tokens_.take().value;
  }

  // Numbers and linear terms. A name without a sign before it begins the next constraint, also
  // after a number unless both are on one line; so does a sign at the start of a line after a
  // number alone.
  void read_right_side(Expression& to) {
    std::size_t line = 0;
    for (bool first = true;; first = false) {
      if (!first && to.linear.empty() && tokens_.peek().line != line) return;
      Decimal coefficient = 1;
      const bool has_sign = sign(coefficient);
      if (!has_sign && !first) return;
      const LpToken token = tokens_.peek();
      line = token.line;
      if (token.kind == Kind::number) {
        coefficient = coefficient * tokens_.take().value;
        const LpToken& next = tokens_.peek();
        const bool term =
            next.kind == Kind::name && next.line == token.line && !tokens_.peek_after().is(":");
        if (!term) {
          to.constant += coefficient;
          continue;
        }
      } else if (token.kind != Kind::name || tokens_.peek_after().is(":")) {
        tokens_.fail_expected("a number or a variable on the right side");
      }
      to.linear.push_back({variable(tokens_.take()), coefficient});
    }
  }

  // `variable = value` before an arrow is a condition.
  void set_condition(ModelConstraint& c, const Expression& left, std::string_view relation,
                     const Expression& right, std::size_t line) {
    const bool condition = left.linear.size() == 1 && left.linear[0].coefficient == 1 &&
                           left.products.empty() && left.monomials.empty() && left.constant == 0 &&
                           right.linear.empty() && (right.constant == 0 || right.constant == 1) &&
                           relation == "=";
    if (!condition || c.when) {
      tokens_.fail(line, "expected 'variable = 0 ->' or 'variable = 1 ->' before a constraint");
    }
    c.when = {left.linear[0].variable, right.constant == 1};
  }

  // terms relation terms, or number relation terms, or number relation terms relation number; with
  // variable = 0 -> or variable = 1 -> before it.
  void read_relations(ModelConstraint& c) {
    const std::size_t line = tokens_.peek().line;
    try {
      read_relations(c, line);
    } catch (const TooManyDigits& fault) {
      tokens_.fail(line, fault.what());
    }
  }

  void read_relations(ModelConstraint& c, std::size_t line) {
    Expression left;
    read_expression(left, 1, false);
    const std::string_view first = relation();
    if (is_number(left)) {
      const Decimal value = left.constant;
      left = {};
      read_expression(left, 1, false);
      if (is_number(left)) tokens_.fail(line, "expected terms beside a relation, found none");
      set_limit(c, turned(first), value);
      const LpToken next = tokens_.peek();
      if (next.is("<=") || next.is(">=") || next.is("=")) {
        const std::string_view second = relation();
        if (first != second || first == "=") {
          tokens_.fail(line, "expected a range 'number <= terms <= number'");
        }
        set_limit(c, second, right_side());
      }
    } else {
      Expression right;
      read_right_side(right);
      if (tokens_.accept("->")) {
        set_condition(c, left, first, right, line);
        read_relations(c, line);
        return;
      }
      set_limit(c, first, right.constant);
      for (const LinearTerm& t : right.linear) {
        left.linear.push_back({t.variable, -t.coefficient});
      }
    }
    c.left = std::move(left);
    c.left.normalise();
    c.lower -= c.left.constant;
    c.upper -= c.left.constant;
    c.left.constant = 0;
    if (c.lower > c.upper) tokens_.fail(line, "expected a range that is not empty");
  }

  static void set_limit(ModelConstraint& c, std::string_view relation, const Decimal& value) {
    if (relation != "<=") c.lower = value;
    if (relation != ">=") c.upper = value;
  }

  static bool is_number(const Expression& e) {
    return e.linear.empty() && e.products.empty() && e.monomials.empty();
  }

  void read_section(const LpToken& heading) {
    switch (heading.section) {
      case LpSection::bounds:
        while (!at_section_end()) read_bound();
        break;
      case LpSection::general:
      case LpSection::binary:
      case LpSection::spins:
        while (!at_section_end()) read_declaration(heading.section);
        break;
      case LpSection::soft:
        while (!at_section_end()) read_price();
        break;
      case LpSection::sets:
        read_sets();
        break;
      default:
        tokens_.fail(heading.line, "expected Bounds, General, Binary, Spins or End, found " +
                                       in_quotes(heading.text));
    }
  }

  // constraint price
  void read_price() {
    if (tokens_.peek().kind != Kind::name) tokens_.fail_expected("a constraint and its price");
    const LpToken name = tokens_.take();
    if (by_name_.empty()) {
      for (ModelConstraint& c : model_.constraints) by_name_.emplace(c.name, &c);
    }
    const auto found = by_name_.find(name.text);
    if (name.text.empty() || found == by_name_.end()) {
      tokens_.fail(name.line, "expected the name of a constraint, found " + in_quotes(name.text));
    }
    Decimal& price = found->second->price;
    if (price > 0) {
      tokens_.fail(name.line,
                   "expected one price per constraint, found a second of " + in_quotes(name.text));
    }
    if (tokens_.peek().kind != Kind::number || !(tokens_.peek().value > 0)) {
      tokens_.fail_expected("a positive price per unit of violation");
    }
    price = tokens_.take().value;
  }

  // [set:] S1:: variable:weight ...; a name and a colon are a member before a number, the kind of a
  // set before a second colon, else a set's name. The weights only order the members.
  void read_sets() {
    std::string name;
    std::size_t line = 0;
    while (!at_section_end()) {
      if (tokens_.peek().kind != Kind::name || !tokens_.peek_after().is(":")) {
        tokens_.fail_expected("a set (name: S1::) or a member (variable:weight)");
      }
      const LpToken token = tokens_.take();
      tokens_.take();
      if (tokens_.accept(":")) {
        if (token.text != "S1" && token.text != "s1") {
          tokens_.fail(token.line, "expected a set of kind S1, found " + in_quotes(token.text));
        }
        if (name.empty()) line = token.line;
        new_constraint_name(name, line);
        model_.sets.push_back({name, {}});
        name.clear();
      } else if (tokens_.peek().kind == Kind::number && name.empty() && !model_.sets.empty()) {
        tokens_.take();
        model_.sets.back().variables.push_back(declared(token));
      } else {
        if (!name.empty()) tokens_.fail(token.line, "expected S1:: after the name of a set");
        name = std::string(token.text);
        line = token.line;
      }
    }
    if (!name.empty()) tokens_.fail_expected("S1:: after the name of a set");
  }

  void read_declaration(LpSection kind) {
    if (tokens_.peek().kind != Kind::name) tokens_.fail_expected("a variable or a section");
    const LpToken token = tokens_.take();
    const std::uint32_t v = declared(token);
    if (known_[v].integer) {
      tokens_.fail(token.line,
                   "expected each variable once under General, Binary and Spins, found " +
                       in_quotes(token.text) + " again");
    }
    known_[v].integer = true;
    ModelVariable& var = model_.variables[v];
    if (kind == LpSection::general) return;
    if (kind == LpSection::spins) {
      var.spin = true;
      if (known_[v].lower_line == 0) var.lower = -1;
      if (known_[v].upper_line == 0) var.upper = 1;
      return;
    }
    var.lower = std::max(var.lower, Decimal(0));
    var.upper = std::min(var.upper, Decimal(1));
  }

  // A number or a signed infinity, if one comes.
  bool bound_value(Decimal& value) {
    Decimal factor = 1;
    const bool has_sign = sign(factor);
    const LpToken token = tokens_.peek();
    const bool infinite = token.kind == Kind::name && is_infinity(token.text);
    if (token.kind != Kind::number && !infinite) {
      if (has_sign) tokens_.fail_expected("a number");
      return false;
    }
    value = factor * (infinite ? Decimal::infinity() : tokens_.peek().value);
    tokens_.take();
    return true;
  }

  static bool is_infinity(std::string_view word) {
    const auto same = [&](std::string_view other) {
      return word.size() == other.size() &&
             std::equal(word.begin(), word.end(), other.begin(),
                        [](char a, char b) { return (a | 0x20) == b; });
    };
    return same("inf") || same("infinity");
  }

  void set_bound(const LpToken& name, std::string_view relation, const Decimal& value) {
    const std::uint32_t v = declared(name);
    ModelVariable& var = model_.variables[v];
    const auto once = [&](std::size_t& line) {
      if (line != 0) {
        tokens_.fail(
            name.line,
            fmt::format("expected one bound per side, found a second one of {} (first in line {})",
                        in_quotes(name.text), line));
      }
      line = name.line;
    };
    if (relation != "<=") {
      once(known_[v].lower_line);
      var.lower = value;
    }
    if (relation != ">=") {
      once(known_[v].upper_line);
      var.upper = value;
    }
    if (var.lower > var.upper || var.lower == kUnbounded || var.upper == -kUnbounded) {
      const bool later = relation == ">=" && known_[v].upper_line == 0;
      const bool negative = relation == "<=" && known_[v].lower_line == 0;
      if (!later && !negative) {
        tokens_.fail(name.line,
                     fmt::format("expected a value between the bounds of {}, found none "
                                 "from {} to {}",
                                 in_quotes(name.text), var.lower.text(), var.upper.text()));
      }
    }
  }

  static std::string_view turned(std::string_view relation) {
    return relation == "<=" ? ">=" : relation == ">=" ? "<=" : relation;
  }

  // number relation name relation number, either number absent; or "name free".
  void read_bound() {
    Decimal value = 0;
    std::string_view left_relation;
    Decimal left_value = 0;
    if (bound_value(value)) {
      left_value = value;
      left_relation = relation();
    }
    if (tokens_.peek().kind != Kind::name) tokens_.fail_expected("a variable and its bound");
    const LpToken name = tokens_.take();
    if (!left_relation.empty()) set_bound(name, turned(left_relation), left_value);
    const LpToken next = tokens_.peek();
    if (next.is("<=") || next.is(">=") || next.is("=")) {
      const std::string_view right_relation = relation();
      if (!bound_value(value)) tokens_.fail_expected("a number");
      set_bound(name, right_relation, value);
    } else if (left_relation.empty()) {
      if (next.kind != Kind::name ||
          (next.text != "free" && next.text != "Free" && next.text != "FREE")) {
        tokens_.fail_expected("<=, >=, = or free");
      }
      tokens_.take();
      set_bound(name, ">=", -kUnbounded);
      set_bound(name, "<=", kUnbounded);
    }
  }

  void finish() {
    for (std::size_t v = 0; v < model_.variables.size(); ++v) {
      const ModelVariable& var = model_.variables[v];
      if (!known_[v].integer) {
        tokens_.fail(known_[v].line,
                     "expected binary and integer variables only, found " + in_quotes(var.name) +
                         ", which is listed neither under Binary nor under General");
      }
      if (var.lower > var.upper) {
        tokens_.fail(known_[v].line,
                     fmt::format("expected a value between the bounds of {}, found "
                                 "none from {} to {}",
                                 in_quotes(var.name), var.lower.text(), var.upper.text()));
      }
    }
    std::size_t number = 0;
    for (ModelConstraint& c : model_.constraints) {
      ++number;
      if (!c.name.empty()) continue;
      c.name = fmt::format("R{}", number);
      while (!constraint_names_.insert(c.name).second) c.name += "'";
    }
    for (std::size_t k = 0; k < model_.sets.size(); ++k) {
      ModelSet& set = model_.sets[k];
      if (!set.name.empty()) continue;
      set.name = fmt::format("SOS{}", k + 1);
      while (!constraint_names_.insert(set.name).second) set.name += "'";
    }
  }

  LpTokens tokens_;
  ConstrainedModel model_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::vector<Known> known_;  // by variable
  std::unordered_set<std::string> constraint_names_;
  std::unordered_map<std::string_view, ModelConstraint*> by_name_;  // once all are read
};

}  // namespace

ConstrainedModel read_lp(std::string_view text, const std::string& path, const ModelOptions&) {
  return LpReader(text, path).read();
}

}  // namespace chainmail
