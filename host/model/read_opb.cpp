// Pseudo-Boolean files as the competitions have them (Roussel and Manquinho, "Input/Output Format
// and Solver Requirements", 2016): `* ` comments, `min: TERMS ;`, constraints `TERMS >= N ;` or
// `TERMS = N ;`, a term being a whole number and a literal `x7` or `~x7`. Weighted ones (.wbo)
// begin with `soft: TOP ;` and have soft constraints `[COST] TERMS >= N ;`, whose cost is to be
// paid where they do not hold, however far; a solution costs less than TOP. A term may be a product
// of several literals. `max:` and `<=`, which other tools write, are accepted too.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <unordered_map>

#include "model/model_formats.hpp"
#include "model/scanner.hpp"
#include "problem/entries.hpp"
#include "problem/text_lines.hpp"

namespace chainmail {

namespace {

// Each doubles the terms of a product.
constexpr std::ptrdiff_t kMostNegated = 10;

struct Literal {
  std::uint32_t variable;
  bool negated;
};

struct Term {
  std::int64_t coefficient;
  std::vector<Literal> literals;
};

class OpbReader : Scanner {
 public:
  OpbReader(std::string_view text, const std::string& path)
      : Scanner(text, path, '*'), first_line_(text.substr(0, text.find('\n'))) {}

  ConstrainedModel read() {
    read_header();
    while (skip_space()) statement();
    if (weighted_) limit_cost();
    model_.objective.normalise();
    if (model_.variables.empty()) fail("expected at least one variable, found none");
    return std::move(model_);
  }

 private:
  // `* #variable= 5 #constraint= 4 ...`: the variables are x1 to x5, whether they occur or not.
  void read_header() {
    constexpr std::string_view kVariables = "#variable=";
    const std::string_view first = first_line_;
    std::size_t at = first.find(kVariables);
    if (!first.starts_with('*') || at == std::string_view::npos) return;
    at = first.find_first_not_of(' ', at + kVariables.size());
    std::uint64_t count = 0;
    for (; at < first.size() && std::isdigit(static_cast<unsigned char>(first[at])) != 0; ++at) {
      count = 10 * count + static_cast<std::uint64_t>(first[at] - '0');
      if (count > kMaxSpins) fail(fmt::format("expected at most {} variables", kMaxSpins));
    }
    for (std::uint64_t k = 1; k <= count; ++k) variable(fmt::format("x{}", k));
  }

  bool at_letter() const {
    const char c = peek();
    return c == '~' || c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
  }

  Literal literal() {
    const bool negated = take("~");
    const std::string_view found = name("a variable");
    const bool known = found.size() > 1 && found[0] == 'x' &&
                       found.find_first_not_of("0123456789", 1) == std::string_view::npos;
    if (!known) fail("expected a variable, found " + in_quotes(found));
    return {variable(std::string(found)), negated};
  }

  std::uint32_t variable(const std::string& name) {
    const auto [found, fresh] =
        number_of_.try_emplace(name, static_cast<std::uint32_t>(model_.variables.size()));
    if (fresh) {
      if (model_.variables.size() >= kMaxSpins) {
        fail(fmt::format("expected at most {} variables", kMaxSpins));
      }
      model_.variables.push_back({name, 0.0, 1.0});
    }
    return found->second;
  }

  std::vector<Term> terms() {
    std::vector<Term> all;
    while (skip_space() && (at_digit() || at_letter() || peek() == '+' || peek() == '-')) {
      Term term{1, {}};
      const bool minus = take("-");
      if (!minus) take("+");
      skip_space();
      if (at_digit()) term.coefficient = number("a coefficient");
      if (minus) term.coefficient = -term.coefficient;
      while (skip_space() && at_letter()) term.literals.push_back(literal());
      if (term.literals.empty()) fail_expected("a literal");
      const auto negated = std::count_if(term.literals.begin(), term.literals.end(),
                                         [](const Literal& l) { return l.negated; });
      if (negated > kMostNegated) {
        fail(
            fmt::format("a product of {} negated literals; {} is the most", negated, kMostNegated));
      }
      all.push_back(std::move(term));
    }
    return all;
  }

  // coefficient * product of literals, a literal being x or 1 - x.
  static void add(Expression& to, const Term& term) {
    std::map<std::uint32_t, bool> negated;  // by variable
    for (const Literal& l : term.literals) {
      if (negated.try_emplace(l.variable, l.negated).first->second != l.negated) return;  // never
    }
    std::vector<Monomial> sum = {{{}, static_cast<double>(term.coefficient)}};
    for (const auto& [v, turned] : negated) {
      const std::size_t size = sum.size();
      for (std::size_t k = 0; k < size; ++k) {
        if (turned) sum.push_back(sum[k]);
        sum[k].variables.push_back(v);
        if (turned) sum[k].coefficient = -sum[k].coefficient;
      }
    }
    for (Monomial& t : sum) to.add(std::move(t.variables), t.coefficient);
  }

  void statement() {
    if (take("min:")) return objective(Sense::minimise);
    if (take("max:")) return objective(Sense::maximise);
    if (take("soft:")) return soft_header();
    if (take("[")) {
      const std::int64_t cost = number("a cost");
      expect("]", "']'");
      if (!weighted_) fail("a soft constraint without `soft: ;` before it");
      if (cost < 1) fail("expected a cost of 1 or more");
      return constraint(cost);
    }
    constraint(std::nullopt);
  }

  void objective(Sense sense) {
    if (began_) fail("the objective must come once, before the constraints");
    if (weighted_) fail("a file with soft constraints has no objective");
    began_ = true;
    model_.sense = sense;
    for (const Term& term : terms()) add(model_.objective, term);
    expect(";", "a term or ';'");
  }

  void soft_header() {
    if (began_) fail("`soft:` must come once, before the constraints");
    began_ = weighted_ = true;
    model_.objective_name = "cost";
    if (skip_space() && (at_digit() || peek() == '+')) top_ = number("a top cost");
    expect(";", "a top cost or ';'");
  }

  void constraint(std::optional<std::int64_t> cost) {
    began_ = true;
    ModelConstraint c;
    c.name = fmt::format("c{}", model_.constraints.size() + 1);
    const std::vector<Term> left = terms();
    for (const Term& term : left) add(c.left, term);
    if (left.empty()) fail_expected("a term");
    const bool least = take(">="), most = !least && take("<=");
    if (!least && !most) expect("=", "'>=', '<=' or '='");
    const auto right = static_cast<double>(number("the right side"));
    expect(";", "';'");
    if (!most) c.lower = right;
    if (!least) c.upper = right;
    c.left.normalise();
    if (cost) {
      // One while the constraint may be missed.
      const std::uint32_t missed = variable(fmt::format("missed_{}", c.name));
      c.when = ModelConstraint::When{missed, false};
      model_.objective.linear.push_back({missed, static_cast<double>(*cost)});
      costs_ += static_cast<double>(*cost);
    }
    model_.constraints.push_back(std::move(c));
  }

  void limit_cost() {
    if (!top_ || costs_ < static_cast<double>(*top_)) return;
    ModelConstraint c;
    c.name = "top";
    c.left.linear = model_.objective.linear;
    c.upper = static_cast<double>(*top_ - 1);
    c.left.normalise();
    model_.constraints.push_back(std::move(c));
  }

  std::string_view first_line_;
  bool began_ = false, weighted_ = false;
  std::optional<std::int64_t> top_;
  double costs_ = 0.0;
  std::unordered_map<std::string, std::uint32_t> number_of_;
  ConstrainedModel model_;
};

}  // namespace

ConstrainedModel read_opb(std::string_view text, const std::string& path, const ModelOptions&) {
  return OpbReader(text, path).read();
}

}  // namespace chainmail
