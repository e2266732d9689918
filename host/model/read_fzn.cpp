// FlatZinc, to which MiniZinc compiles its models (docs.minizinc.dev, "Interfacing Solvers to
// Flatzinc"). With its library for linear solvers (-Glinear) only sums of integers are left:
// int_lin_eq and int_lin_le over variables `var 1..5: x :: output_var;`, arrays of numbers and of
// variables, and one `solve`. Anything else is refused by its name.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "model/model_formats.hpp"
#include "model/scanner.hpp"
#include "problem/entries.hpp"
#include "problem/text_lines.hpp"

namespace chainmail {

namespace {

using Value = ModelOutput::Value;

class FznReader : Scanner {
 public:
  FznReader(std::string_view text, const std::string& path) : Scanner(text, path, '%') {}

  ConstrainedModel read() {
    while (skip_space()) {
      if (solved_) fail_expected("nothing after the solve item");
      statement();
    }
    if (!solved_) fail_expected("a solve item");
    // MiniZinc may have found all values itself.
    if (model_.variables.empty()) model_.variables.push_back({"none", 0, 0});
    return std::move(model_);
  }

 private:
  struct Type {
    Decimal lower = -kUnbounded, upper = kUnbounded;
    bool truth = false;
  };
  struct Known {
    std::vector<Value> values;
    bool array;
  };

  void statement() {
    if (at_digit() || peek() == '-' || peek() == '{') return declaration();
    const std::string_view word = name("an item: var, array, constraint, solve");
    if (word == "predicate") return skip_past(';');
    if (word == "constraint") return constraint();
    if (word == "solve") return solve();
    if (word == "var") return variable();
    if (word == "array") return array();
    declaration(word);
  }

  std::pair<std::int64_t, std::int64_t> range() {
    const std::int64_t first = number("the first of a range");
    expect("..", "'..'");
    return {first, number("the last of a range")};
  }

  // A type that `word` begins, where it was read already.
  Type type(std::string_view word = {}) {
    skip_space();
    if (word.empty() && (at_digit() || peek() == '-')) {
      const auto [lower, upper] = range();
      if (lower > upper) fail(fmt::format("expected a value between {} and {}", lower, upper));
      return {lower, upper, false};
    }
    if (word.empty() && peek() == '{') fail("a set of values is not supported; ranges are");
    if (word.empty()) word = name("a type: int, bool or a range");
    if (word == "bool") return {0, 1, true};
    if (word == "int") return {};
    if (word == "float" || word == "set") {
      fail(fmt::format("values of type '{}' are not supported; int, bool and ranges are", word));
    }
    fail("expected a type: int, bool or a range, found " + in_quotes(word));
  }

  std::string new_name() {
    expect(":", "':' and a name");
    const std::string_view found = name("a name");
    if (known_.contains(std::string(found))) {
      fail("expected a new name, found a second " + in_quotes(found));
    }
    return std::string(found);
  }

  // A number that has a name.
  void declaration(std::string_view word = {}) {
    type(word);
    const std::string name = new_name();
    annotations();
    expect("=", "'=' and a value");
    const Value given = value();
    if (given.variable) fail("expected a number for " + in_quotes(name));
    known_[name] = {{given}, false};
    expect(";", "';'");
  }

  void variable() {
    const Type domain = type();
    const std::string name = new_name();
    if (model_.variables.size() >= kMaxSpins) {
      fail(fmt::format("expected at most {} variables", kMaxSpins));
    }
    const auto number = static_cast<std::uint32_t>(model_.variables.size());
    const std::optional<std::string> shape = annotations();
    if (take("=")) {
      const Value same = value();
      ModelConstraint& c = add_constraint();
      c.left.linear = {{number, 1}};
      c.lower = c.upper = same.number;
      if (same.variable) c.left.linear.push_back({*same.variable, -1});
    }
    model_.variables.push_back({name, domain.lower, domain.upper});
    known_[name] = {{{number, 0}}, false};
    if (shape) model_.outputs.push_back({name, *shape, domain.truth, known_[name].values});
    expect(";", "';'");
  }

  void array() {
    expect("[", "'[' and a range");
    const auto [first, last] = range();
    expect("]", "']'");
    if (first != 1) fail("expected an array from 1 on");
    if (name("'of'") != "of") fail("expected 'of' and a type");
    const std::string_view word = name_or_none();
    const bool variables = word == "var";
    const bool truth = type(variables ? name_or_none() : word).truth;
    const std::string name = new_name();
    const std::optional<std::string> shape = annotations();
    expect("=", "'=' and the array's values");
    const std::vector<Value> given = values();
    if (static_cast<std::int64_t>(given.size()) != last) {
      fail(fmt::format("expected {} values, found {}", last, given.size()));
    }
    if (!variables) require_numbers(given);
    if (shape) model_.outputs.push_back({name, *shape, truth, given});
    known_[name] = {given, true};
    expect(";", "';'");
  }

  std::string_view name_or_none() {
    skip_space();
    return at_digit() || peek() == '-' || peek() == '{' ? std::string_view() : name("a type");
  }

  // `:: is_defined_var :: output_array([1..3])`: what is asked to be shown, as ModelOutput has it.
  std::optional<std::string> annotations() {
    std::optional<std::string> shape;
    while (take("::")) {
      const std::string_view word = name("an annotation");
      if (word == "output_var") {
        shape = "";
      } else if (word == "output_array") {
        shape = index_sets();
      } else if (take("(")) {
        skip_arguments();
      }
    }
    return shape;
  }

  std::string index_sets() {
    expect("(", "'('");
    expect("[", "'['");
    std::string sets;
    std::size_t count = 0;
    do {
      const auto [first, last] = range();
      sets += fmt::format("{}{}..{}", count++ > 0 ? ", " : "", first, last);
    } while (take(","));
    expect("]", "']'");
    expect(")", "')'");
    return fmt::format("array{}d({}", count, sets);
  }

  // After '(': to the one that closes it.
  void skip_arguments() {
    for (std::size_t open = 1; open > 0;) {
      if (!skip_space() || peek() == ';') fail_expected("')'");
      const char c = peek();
      skip_past(c);
      if (c == '"') skip_past('"');
      if (c == '(') ++open;
      if (c == ')') --open;
    }
  }

  // A number, or the name of one or of a variable.
  Value value() {
    skip_space();
    if (at_digit() || peek() == '-') return {std::nullopt, number("a number")};
    const std::string_view word = name("a number or a name");
    if (word == "true" || word == "false") return {std::nullopt, word == "true" ? 1 : 0};
    const Known& found = lookup(word);
    if (!found.array) return found.values.front();
    expect("[", "'[' and an index of the array");
    const std::int64_t index = number("an index");
    expect("]", "']'");
    if (index < 1 || index > static_cast<std::int64_t>(found.values.size())) {
      fail(fmt::format("expected an index from 1 to {}, found {}", found.values.size(), index));
    }
    return found.values[static_cast<std::size_t>(index - 1)];
  }

  const Known& lookup(std::string_view word) {
    const auto found = known_.find(std::string(word));
    if (found == known_.end()) fail("expected a name declared before, found " + in_quotes(word));
    return found->second;
  }

  // `[a, b, 3]`, or the name of an array.
  std::vector<Value> values() {
    if (!take("[")) {
      const Known& found = lookup(name("an array"));
      if (!found.array) fail("expected an array");
      return found.values;
    }
    std::vector<Value> all;
    if (take("]")) return all;
    do {
      all.push_back(value());
    } while (take(","));
    expect("]", "',' or ']'");
    return all;
  }

  void require_numbers(const std::vector<Value>& all) const {
    const auto is_variable = [](const Value& v) { return v.variable.has_value(); };
    if (std::any_of(all.begin(), all.end(), is_variable)) {
      fail("expected numbers, found a variable");
    }
  }

  ModelConstraint& add_constraint() {
    model_.constraints.emplace_back().name = fmt::format("c{}", model_.constraints.size());
    return model_.constraints.back();
  }

  // int_lin_eq(coefficients, variables, right side)
  void constraint() {
    const std::string_view kind = name("a constraint");
    const bool equation = kind == "int_lin_eq";
    if (!equation && kind != "int_lin_le") {
      fail(
          fmt::format("the constraint '{}' is not supported; int_lin_eq and int_lin_le are, which "
                      "MiniZinc writes with '-G linear'",
                      kind));
    }
    expect("(", "'('");
    const std::vector<Value> coefficients = values();
    expect(",", "',' and an array of variables");
    const std::vector<Value> variables = values();
    expect(",", "',' and the right side");
    const Value right = value();
    expect(")", "')'");
    annotations();
    expect(";", "';'");
    require_numbers(coefficients);
    require_numbers({right});
    if (coefficients.size() != variables.size()) {
      fail(fmt::format("expected as many coefficients as variables, found {} and {}",
                       coefficients.size(), variables.size()));
    }
    ModelConstraint& c = add_constraint();
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const Decimal times = coefficients[k].number;
      if (variables[k].variable) {
        c.left.linear.push_back({*variables[k].variable, times});
      } else {
        c.left.constant += times * Decimal(variables[k].number);
      }
    }
    c.left.normalise();
    c.upper = right.number;
    if (equation) c.lower = right.number;
  }

  void solve() {
    solved_ = true;
    annotations();
    const std::string_view goal = name("satisfy, minimize or maximize");
    if (goal == "minimize" || goal == "maximize") {
      if (goal == "maximize") model_.sense = Sense::maximise;
      const Value best = value();
      if (best.variable) {
        model_.objective.linear = {{*best.variable, 1}};
      } else {
        model_.objective.constant = best.number;
      }
    } else if (goal != "satisfy") {
      fail("expected satisfy, minimize or maximize, found " + in_quotes(goal));
    }
    expect(";", "';'");
  }

  bool solved_ = false;
  std::unordered_map<std::string, Known> known_;
  ConstrainedModel model_;
};

}  // namespace

ConstrainedModel read_fzn(std::string_view text, const std::string& path, const ModelOptions&) {
  return FznReader(text, path).read();
}

}  // namespace chainmail
