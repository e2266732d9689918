// A second, independent reader of FlatZinc: declarations give names their values, each a variable
// or a number, and every constraint is a sum.
#include <cctype>
#include <cstdlib>

#include "check/readers.hpp"
#include "support/error.hpp"

namespace chainmail::checker {

namespace {

std::vector<std::string> words_of(std::string_view text) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '%') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (text[at] == '"') {
      end = std::min(text.find('"', end), text.size() - 1) + 1;
    } else if (in_word(text[at])) {
      while (end < text.size() && in_word(text[end])) ++end;
    } else if (end < text.size() && text[end] == text[at] && (text[at] == '.' || text[at] == ':')) {
      ++end;
    }
    if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      words.emplace_back(text.substr(at, end - at));
    }
    at = end;
  }
  return words;
}

class FlatZinc {
 public:
  FlatZinc(std::string_view text, const std::string& path) : path_(path), words_(words_of(text)) {}

  Model read() {
    while (at_ < words_.size()) {
      if (accept("predicate")) {
        while (!accept(";")) take();
      } else if (accept("constraint")) {
        constraint();
      } else if (accept("solve")) {
        goal();
      } else {
        declaration();
      }
    }
    if (model_.variables.empty()) model_.variables.push_back({"none", Rational(0), Rational(0)});
    return std::move(model_);
  }

 private:
  struct Value {
    std::optional<std::size_t> variable;
    Rational number = 0;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_ + ": checker: " + what);
  }
  std::string take() {
    if (at_ == words_.size()) fail("it ends too early");
    return words_[at_++];
  }
  bool accept(const std::string& word) {
    const bool here = at_ < words_.size() && words_[at_] == word;
    if (here) ++at_;
    return here;
  }
  void expect(const std::string& word) {
    if (!accept(word)) fail("expected '" + word + "', found '" + take() + "'");
  }

  bool at_number() const {
    const std::string& word = words_.at(at_);
    return word == "-" || std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  }
  Rational number() {
    const bool minus = accept("-");
    const std::string word = take();
    std::size_t length = 0;
    const Rational value = decimal(word, length);
    if (length != word.size()) fail("expected a number, found '" + word + "'");
    return minus ? Rational(-value) : value;
  }

  void skip_annotations() {
    while (accept("::")) {
      take();
      if (!accept("(")) continue;
      for (int open = 1; open > 0;) {
        const std::string word = take();
        open += word == "(" ? 1 : word == ")" ? -1 : 0;
      }
    }
  }

  // [array [1..n] of] [var] type: name [= values];
  void declaration() {
    const bool array = accept("array");
    if (array) {
      while (!accept("of")) take();
    }
    const bool fresh = accept("var") && !array;
    std::optional<Rational> lower, upper;
    if (at_number()) {
      lower = number();
      expect("..");
      upper = number();
    } else if (const std::string kind = take(); kind == "bool") {
      lower = 0;
      upper = 1;
    } else if (kind != "int") {
      fail("a type it cannot judge: " + kind);
    }
    expect(":");
    const std::string name = take();
    skip_annotations();
    std::vector<Value> given;
    if (accept("=")) given = array ? values() : std::vector<Value>{value()};
    if (fresh) {
      const std::size_t v = model_.variables.size();
      model_.variables.push_back({name, lower, upper});
      if (!given.empty()) add_row({Rational(1), Rational(-1)}, {Value{v}, given[0]}, 0, true);
      given = {Value{v}};
    }
    known_[name] = std::move(given);
    expect(";");
  }

  Value value() {
    if (at_number()) return {std::nullopt, number()};
    const std::string word = take();
    if (word == "true" || word == "false") return {std::nullopt, word == "true" ? 1 : 0};
    std::size_t index = 0;
    if (accept("[")) {
      index = static_cast<std::size_t>(std::strtoull(take().c_str(), nullptr, 10)) - 1;
      expect("]");
    }
    return known_.at(word).at(index);
  }

  std::vector<Value> values() {
    if (!accept("[")) return known_.at(take());
    std::vector<Value> all;
    while (!accept("]")) {
      all.push_back(value());
      accept(",");
    }
    return all;
  }

  void constraint() {
    const std::string kind = take();
    if (kind != "int_lin_eq" && kind != "int_lin_le") fail("a constraint it cannot judge: " + kind);
    expect("(");
    std::vector<Rational> coefficients;
    for (const Value& v : values()) coefficients.push_back(v.number);
    expect(",");
    const std::vector<Value> variables = values();
    expect(",");
    const Rational right = value().number;
    expect(")");
    skip_annotations();
    expect(";");
    add_row(coefficients, variables, right, kind == "int_lin_eq");
  }

  void add_row(const std::vector<Rational>& coefficients, const std::vector<Value>& variables,
               Rational right, bool equation) {
    Row row;
    row.name = "c" + std::to_string(model_.rows.size() + 1);
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (!variables[k].variable) {
        right -= coefficients.at(k) * variables[k].number;
      } else if ((row.terms[*variables[k].variable] += coefficients.at(k)) == 0) {
        row.terms.erase(*variables[k].variable);
      }
    }
    row.upper = right;
    if (equation) row.lower = right;
    model_.rows.push_back(std::move(row));
  }

  void goal() {
    skip_annotations();
    const std::string word = take();
    model_.maximise = word == "maximize";
    if (word != "satisfy") {
      const Value best = value();
      if (best.variable) {
        model_.objective[*best.variable] = 1;
      } else {
        model_.constant = best.number;
      }
    }
    expect(";");
  }

  const std::string& path_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::map<std::string, std::vector<Value>> known_;
  Model model_;
};

}  // namespace

Model read_flatzinc(std::string_view text, const std::string& path) {
  return FlatZinc(text, path).read();
}

}  // namespace chainmail::checker
