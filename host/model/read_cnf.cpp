// Clauses in DIMACS format. `p cnf VARIABLES CLAUSES`: each is to hold. `p wcnf VARIABLES CLAUSES
// [TOP]`: a clause begins with its weight, one of TOP or more is to hold, the others cost their
// weight where they do not. MaxSAT evaluations since 2022 have no `p` line: `h` begins a clause
// that is to hold. A clause is a list of literals (7, -7) that ends with 0, on one line or several;
// `c` begins a comment line, and some collections of `cnf` files end with a line `%`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/model_formats.hpp"
#include "problem/entries.hpp"
#include "problem/text_lines.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 53;  // whole numbers of doubles

class CnfReader {
 public:
  CnfReader(std::string_view text, const std::string& path, bool weighted)
      : lines_(text, path), weighted_(weighted) {}

  ConstrainedModel read() {
    while (lines_.next()) {
      const std::string_view first = lines_.words()[0];
      if (first.starts_with('c')) continue;
      if (first == "%") break;
      if (first == "p") {
        header();
      } else {
        clauses_of_line();
      }
    }
    if (open_) lines_.fail("the last clause does not end with 0");
    if (!headed_ && clauses_ == 0) lines_.fail("expected clauses, found none");
    if (headed_ && clauses_ != announced_) {
      lines_.fail(fmt::format("expected {} clauses, found {}", announced_, clauses_));
    }
    if (weighted_) model_.objective_name = "cost";
    if (variables_ == 0) lines_.fail("expected at least one variable, found none");
    for (std::uint64_t k = 1; k <= variables_; ++k) {
      model_.variables.push_back({fmt::format("x{}", k), 0.0, 1.0});
    }
    model_.objective.normalise();
    return std::move(model_);
  }

 private:
  void header() {
    const char* expected =
        weighted_ ? "'p wcnf VARIABLES CLAUSES [TOP]'" : "'p cnf VARIABLES CLAUSES'";
    const auto& words = lines_.words();
    if (headed_ || clauses_ > 0 || open_)
      lines_.fail("a line 'p ...' must come once, before all clauses");
    const bool top = weighted_ && words.size() == 5;
    if (words.size() != (top ? 5U : 4U) || words[1] != (weighted_ ? "wcnf" : "cnf")) {
      lines_.fail_expected(expected);
    }
    variables_ = lines_.integer(2, 1, kMaxSpins, "a number of variables");
    announced_ = lines_.integer(3, 0, std::uint64_t{1} << 40, "a number of clauses");
    // Some tops exceed 64 bits; only the comparison depends on them.
    if (top) top_ = lines_.integer(4, 1, UINT64_MAX, "a top weight");
    headed_ = true;
  }

  void clauses_of_line() {
    if (!weighted_ && !headed_)
      lines_.fail_expected("'p cnf VARIABLES CLAUSES' before the first clause");
    for (std::size_t k = 0; k < lines_.words().size(); ++k) {
      if (!open_) {
        open_ = true;
        literals_.clear();
        cost_.reset();
        if (weighted_) {
          weight(k);
          continue;
        }
      }
      literal(k);
    }
  }

  void weight(std::size_t k) {
    if (lines_.words()[k] == "h") {
      if (headed_) lines_.fail("'h' belongs to files without a line 'p wcnf'");
      return;
    }
    const std::uint64_t given =
        lines_.integer(k, 1, UINT64_MAX, headed_ ? "a weight" : "'h' or a weight");
    if (top_ && given >= *top_) return;
    if (given > kLargest) lines_.fail("a weight beyond 2^53: larger numbers are not supported yet");
    cost_ = given;
  }

  void literal(std::size_t k) {
    const std::string_view word = lines_.words()[k];
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const auto most = static_cast<std::int64_t>(headed_ ? variables_ : kMaxSpins);
    if (error != std::errc() || end != word.data() + word.size() || std::abs(value) > most) {
      lines_.fail(fmt::format("expected a literal from {} to {} or 0, found {}", -most, most,
                              in_quotes(word)));
    }
    if (value != 0) {
      literals_.push_back(value);
      if (!headed_) variables_ = std::max(variables_, static_cast<std::uint64_t>(std::abs(value)));
      return;
    }
    open_ = false;
    ++clauses_;
    add_clause();
  }

  // The sum of its literals is 1 or more; if it is missed, then by one, which costs its weight.
  void add_clause() {
    std::sort(literals_.begin(), literals_.end());
    literals_.erase(std::unique(literals_.begin(), literals_.end()), literals_.end());
    for (std::int64_t l : literals_) {
      if (l > 0 && std::binary_search(literals_.begin(), literals_.end(), -l)) return;  // it holds
    }
    const double cost = cost_ ? static_cast<double>(*cost_) : 0.0;
    ModelConstraint c;
    c.name = fmt::format("clause{}", clauses_);
    c.lower = 1.0;
    c.price = cost;
    for (std::int64_t l : literals_) {
      const auto variable = static_cast<std::uint32_t>(std::abs(l) - 1);
      if (l < 0) c.left.constant += 1.0;
      c.left.linear.push_back({variable, l > 0 ? 1.0 : -1.0});
    }
    if (cost_ && literals_.size() < 2) {
      // A literal that costs, or an empty clause: no constraint is needed.
      model_.objective.constant += cost * (1.0 - c.left.constant);
      for (const LinearTerm& t : c.left.linear) {
        model_.objective.linear.push_back({t.variable, -cost * t.coefficient});
      }
      return;
    }
    c.left.normalise();
    model_.constraints.push_back(std::move(c));
  }

  TextLines lines_;
  bool weighted_, headed_ = false, open_ = false;
  std::uint64_t variables_ = 0, announced_ = 0, clauses_ = 0;
  std::optional<std::uint64_t> top_, cost_;
  std::vector<std::int64_t> literals_;
  ConstrainedModel model_;
};

}  // namespace

ConstrainedModel read_cnf(std::string_view text, const std::string& path, const ModelOptions&) {
  return CnfReader(text, path, false).read();
}

ConstrainedModel read_wcnf(std::string_view text, const std::string& path, const ModelOptions&) {
  return CnfReader(text, path, true).read();
}

}  // namespace chainmail
