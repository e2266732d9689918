// The QPLIB format (Furini et al. 2019): values in a fixed order, one line each, lists as a default
// and its exceptions. The objective is 1/2 x'Hx + b'x + q, H given by its lower triangle.
#include <fmt/format.h>

#include <map>
#include <set>

#include "model/model_formats.hpp"
#include "problem/entries.hpp"
#include "problem/text_lines.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

class QplibReader {
 public:
  QplibReader(std::string_view text, const std::string& path) : lines_(text, path) {}

  ConstrainedModel read() {
    next("the problem's name");
    if (is_label(std::string(lines_.words()[0]))) model_.name = std::string(lines_.words()[0]);
    read_kind();
    next("minimize or maximize");
    read_sense();
    variables_ = count("the number of variables", 1, kMaxSpins);
    const bool has_constraints = kind_[2] != 'N' && kind_[2] != 'B';
    if (has_constraints) constraints_ = count("the number of constraints", 0, kMaxSpins);
    for (std::uint64_t v = 0; v < variables_; ++v) {
      model_.variables.push_back({fmt::format("x{}", v + 1), 0.0, kind_[1] == 'B' ? 1.0 : 0.0});
    }
    read_objective();
    if (has_constraints) read_constraints();
    read_variables();
    read_rest(has_constraints);
    return std::move(model_);
  }

 private:
  void next(const std::string& what) {
    do {
      if (!lines_.next()) lines_.fail("expected " + what + ", found the end of the file");
    } while (lines_.words()[0].starts_with('!') || lines_.words()[0].starts_with('%') ||
             lines_.words()[0].starts_with('#'));
  }

  // A line may end with a comment after #.
  void expect_words(std::size_t number, const std::string& expected) const {
    const auto& words = lines_.words();
    if (words.size() < number || (words.size() > number && !words[number].starts_with('#'))) {
      lines_.fail_expected(expected);
    }
  }

  std::uint64_t count(const std::string& what, std::uint64_t first, std::uint64_t last) {
    next(what);
    expect_words(1, what);
    return lines_.integer(0, first, last, what);
  }

  Decimal real(const std::string& what) {
    next(what);
    expect_words(1, what);
    return lines_.decimal(0, what);
  }

  void read_kind() {
    next("the kind of problem, three letters");
    kind_ = std::string(lines_.words()[0]);
    const bool known = kind_.size() == 3 &&
                       std::string("LDCQ").find(kind_[0]) != std::string::npos &&
                       std::string("CBMIG").find(kind_[1]) != std::string::npos &&
                       std::string("NBLDCQ").find(kind_[2]) != std::string::npos;
    if (!known) lines_.fail_expected("the kind of problem, three letters such as QBL");
    if (kind_[1] != 'B' && kind_[1] != 'I') {
      lines_.fail("expected binary or integer variables (B or I), found kind " + kind_);
    }
    if (kind_[2] != 'N' && kind_[2] != 'B' && kind_[2] != 'L') {
      lines_.fail("expected linear constraints (L) or none (N, B), found kind " + kind_);
    }
  }

  void read_sense() {
    const std::string word(lines_.words()[0]);
    if (word == "minimize" || word == "Minimize") {
      model_.sense = Sense::minimise;
    } else if (word == "maximize" || word == "Maximize") {
      model_.sense = Sense::maximise;
    } else {
      lines_.fail_expected("minimize or maximize");
    }
  }

  void read_objective() {
    if (kind_[0] != 'L') {
      const auto lower = [](std::uint64_t i) { return i; };
      terms("quadratic", variables_, lower,
            [&](std::uint32_t i, std::uint32_t j, const Decimal& value) {
              model_.objective.products.push_back({j, i, i == j ? value.half() : value});
            });
    }
    const std::vector<Decimal> linear = defaults("linear coefficient", variables_);
    for (std::uint32_t v = 0; v < linear.size(); ++v) {
      model_.objective.linear.push_back({v, linear[v]});
    }
    model_.objective.constant = real("the objective's constant");
    model_.objective.normalise();
  }

  // Their number, then lines `row variable value`; row i has variables up to last(i). take() counts
  // from zero.
  template <class Last, class Take>
  void terms(const std::string& kind, std::uint64_t rows, Last last, Take take) {
    const std::uint64_t number =
        count("the number of " + kind + " terms", 0, std::uint64_t{1} << 32);
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (std::uint64_t k = 0; k < number; ++k) {
      next("a " + kind + " term");
      expect_words(3, "a " + kind + " term, row variable value");
      const std::uint64_t row = lines_.integer(0, 1, rows, "a row");
      const std::uint64_t v = lines_.integer(1, 1, last(row), "a variable");
      if (!seen.insert({row, v}).second) lines_.fail_expected("each " + kind + " term once");
      take(static_cast<std::uint32_t>(row - 1), static_cast<std::uint32_t>(v - 1),
           lines_.decimal(2, "a coefficient"));
    }
  }

  // A default, the number of exceptions, and these as `index value`.
  std::vector<Decimal> defaults(const std::string& what, std::uint64_t size) {
    std::vector<Decimal> values(size, real("the default " + what));
    const std::uint64_t exceptions = count("how many " + what + "s differ", 0, size);
    std::set<std::uint64_t> seen;
    for (std::uint64_t k = 0; k < exceptions; ++k) {
      next("an index and its " + what);
      expect_words(2, "an index and its " + what);
      const std::uint64_t index = lines_.integer(0, 1, size, "an index");
      if (!seen.insert(index).second) lines_.fail_expected("each index once");
      values[index - 1] = lines_.decimal(1, what);
    }
    return values;
  }

  Decimal bound(const Decimal& value) const {
    if (value >= infinity_) return Decimal::infinity();
    return value <= -infinity_ ? -Decimal::infinity() : value;
  }

  void read_constraints() {
    model_.constraints.resize(constraints_);
    const auto all = [&](std::uint64_t) { return variables_; };
    terms("linear", constraints_, all, [&](std::uint32_t c, std::uint32_t v, const Decimal& value) {
      model_.constraints[c].left.linear.push_back({v, value});
    });
    read_infinity();
    const std::vector<Decimal> lower = defaults("left side", constraints_);
    const std::vector<Decimal> upper = defaults("right side", constraints_);
    for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
      ModelConstraint& constraint = model_.constraints[c];
      constraint.name = fmt::format("c{}", c + 1);
      constraint.lower = bound(lower[c]);
      constraint.upper = bound(upper[c]);
      constraint.left.normalise();
    }
    std::erase_if(model_.constraints, [](const ModelConstraint& c) {
      return c.lower == -kUnbounded && c.upper == kUnbounded;  // a free row is no constraint
    });
  }

  void read_infinity() {
    infinity_ = real("the value for infinity");
    if (!(infinity_ > 0)) lines_.fail_expected("a positive value for infinity");
  }

  void read_variables() {
    if (kind_[2] == 'N' || kind_[2] == 'B') read_infinity();
    if (kind_[1] == 'B') return;
    const std::vector<Decimal> lower = defaults("lower bound", variables_);
    const std::vector<Decimal> upper = defaults("upper bound", variables_);
    for (std::size_t v = 0; v < model_.variables.size(); ++v) {
      model_.variables[v].lower = bound(lower[v]);
      model_.variables[v].upper = bound(upper[v]);
    }
  }

  // Starting points, which are not used, then names.
  void read_rest(bool has_constraints) {
    defaults("starting value", variables_);
    if (has_constraints) defaults("constraint's multiplier", constraints_);
    defaults("bound's multiplier", variables_);
    for (const auto& [v, name] : names("variable", variables_)) model_.variables[v].name = name;
    // Files without constraints may leave out how many names these have.
    const auto constraint_names =
        has_constraints ? names("constraint", constraints_) : std::map<std::size_t, std::string>();
    std::map<std::string, std::string> renamed;
    for (const auto& [c, name] : constraint_names) renamed[fmt::format("c{}", c + 1)] = name;
    for (ModelConstraint& c : model_.constraints) {
      if (const auto found = renamed.find(c.name); found != renamed.end()) c.name = found->second;
    }
    while (lines_.next()) {
      const std::string_view word = lines_.words()[0];
      const bool no_names = !has_constraints && word == "0";
      if (!no_names && !word.starts_with('!') && !word.starts_with('%') && !word.starts_with('#')) {
        lines_.fail_expected("the end of the file");
      }
    }
  }

  std::map<std::size_t, std::string> names(const std::string& of, std::uint64_t size) {
    std::map<std::size_t, std::string> result;
    const std::uint64_t given = count("the number of " + of + " names", 0, size);
    for (std::uint64_t k = 0; k < given; ++k) {
      next("a " + of + " and its name");
      expect_words(2, "a " + of + " and its name");
      const std::uint64_t index = lines_.integer(0, 1, size, "an index");
      if (!result.emplace(index - 1, lines_.words()[1]).second) {
        lines_.fail_expected("each index once");
      }
    }
    return result;
  }

  TextLines lines_;
  ConstrainedModel model_;
  std::string kind_;
  std::uint64_t variables_ = 0, constraints_ = 0;
  Decimal infinity_ = Decimal::infinity();
};

}  // namespace

ConstrainedModel read_qplib(std::string_view text, const std::string& path, const ModelOptions&) {
  return QplibReader(text, path).read();
}

}  // namespace chainmail
