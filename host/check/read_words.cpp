// Second, independent readers of formats that are a list of words: quadratic knapsacks, clauses and
// pseudo-Boolean files.
#include <cctype>
#include <cstdlib>
#include <set>

#include "check/readers.hpp"
#include "support/error.hpp"

namespace chainmail::checker {

namespace {

std::string numbered(std::string name, std::size_t k) {
  return std::move(name) + std::to_string(k);
}

Variable binary(std::string name) {
  return {std::move(name), Rational(0), Rational(1)};
}

class Words {
 public:
  // `comment`: what a comment line begins with.
  Words(std::string_view text, const std::string& path, char comment) : path_(path) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      if (comment != '\0' && line.starts_with(comment)) continue;
      split(line);
    }
  }

  Words(std::vector<std::string> words, const std::string& path)
      : path_(path), words_(std::move(words)) {}

  bool done() const { return at_ == words_.size(); }
  std::string take() {
    if (done()) throw InputError(path_ + ": checker: it ends too early");
    return words_[at_++];
  }
  bool accept(const std::string& word) {
    const bool here = !done() && words_[at_] == word;
    if (here) ++at_;
    return here;
  }
  const std::string& peek() const { return words_.at(at_); }
  Integer whole() {
    const std::string word = take();
    const std::size_t first = word.find_first_not_of("+-");
    if (first == std::string::npos ||
        word.find_first_not_of("0123456789", first) != std::string::npos || first > 1) {
      throw InputError(path_ + ": checker: expected a whole number, found '" + word + "'");
    }
    const Integer size(word.substr(std::min(word.find_first_not_of('0', first), word.size() - 1)));
    return word[0] == '-' ? Integer(-size) : size;
  }

 private:
  void split(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size()) {
      if (std::isspace(static_cast<unsigned char>(line[at])) != 0) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < line.size() && std::isspace(static_cast<unsigned char>(line[end])) == 0) ++end;
      words_.emplace_back(line.substr(at, end - at));
      at = end;
    }
  }

  const std::string& path_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

void add(Terms& to, std::size_t variable, const Rational& value) {
  if ((to[variable] += value) == 0) to.erase(variable);
}

// Pseudo-Boolean files need no blanks: 3x1>=2;
std::vector<std::string> symbols(std::string_view text) {
  std::vector<std::string> all;
  const auto kind = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return std::isdigit(u) != 0 ? 1 : std::isalpha(u) != 0 || c == '_' || c == ':' ? 2 : 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '*' && (at == 0 || text[at - 1] == '\n')) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (kind(text[at]) == 1) {
      while (end < text.size() && kind(text[end]) == 1) ++end;
    } else if (kind(text[at]) == 2) {
      while (end < text.size() && kind(text[end]) != 0 && text[end - 1] != ':') ++end;
    } else if ((text[at] == '<' || text[at] == '>') && text.substr(end).starts_with('=')) {
      ++end;
    }
    if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      all.emplace_back(text.substr(at, end - at));
    }
    at = end;
  }
  return all;
}

class PseudoBoolean {
 public:
  PseudoBoolean(std::string_view text, const std::string& path)
      : words_(symbols(text), path), path_(path) {
    const std::string_view first = text.substr(0, text.find('\n'));
    const std::string_view kCount = "#variable=";
    const std::size_t at = first.find(kCount);
    if (!first.starts_with('*') || at == std::string_view::npos) return;
    const std::string count(first.substr(at + kCount.size()));
    const auto variables = std::strtoull(count.c_str(), nullptr, 10);
    for (std::size_t k = 1; k <= variables; ++k) variable(numbered("x", k));
  }

  Model read() {
    while (!words_.done()) {
      if (words_.accept("min:") || words_.peek() == "max:") {
        model_.maximise = words_.accept("max:");
        terms(model_.objective, model_.constant, model_.products);
      } else if (words_.accept("soft:")) {
        model_.objective_name = "cost";
        if (words_.peek() != ";") top_ = number();
      } else {
        constraint();
      }
      if (!words_.accept(";")) throw InputError(path_ + ": checker: expected ';'");
    }
    if (top_ && costs_ >= *top_) {
      Row row;
      row.name = "top";
      row.terms = model_.objective;
      row.upper = *top_ - 1;
      model_.rows.push_back(std::move(row));
    }
    return std::move(model_);
  }

 private:
  std::size_t variable(const std::string& name) {
    const auto [found, fresh] = index_.try_emplace(name, model_.variables.size());
    if (fresh) model_.variables.push_back(binary(name));
    return found->second;
  }

  Rational number() {
    const bool minus = words_.accept("-");
    words_.accept("+");
    const Integer value = words_.whole();
    return minus ? Rational(-value) : Rational(value);
  }

  // Sums of c * l * l' ..., a literal l being x or 1 - x.
  void terms(Terms& linear, Rational& constant, Products& products) {
    const auto is_literal = [&] { return words_.peek()[0] == 'x' || words_.peek() == "~"; };
    const auto is_sign = [&] { return words_.peek() == "+" || words_.peek() == "-"; };
    while (is_sign() || is_literal() ||
           std::isdigit(static_cast<unsigned char>(words_.peek()[0])) != 0) {
      const bool minus = words_.accept("-");
      words_.accept("+");
      Rational c = is_literal() ? Rational(1) : Rational(words_.whole());
      if (minus) c = -c;
      // The product as a polynomial in its variables, each to the power of one.
      std::map<std::set<std::size_t>, Rational> sum = {{{}, c}};
      while (is_literal()) {
        const bool negated = words_.accept("~");
        const std::size_t v = variable(words_.take());
        std::map<std::set<std::size_t>, Rational> next;
        for (const auto& [in, value] : sum) {
          std::set<std::size_t> with = in;
          with.insert(v);
          next[with] += negated ? Rational(-value) : value;
          if (negated) next[in] += value;
        }
        sum = std::move(next);
      }
      for (const auto& [in, value] : sum) {
        if (in.empty()) {
          constant += value;
        } else if (in.size() == 1) {
          add(linear, *in.begin(), value);
        } else if (value != 0) {
          products[{in.begin(), in.end()}] += value;
        }
      }
    }
  }

  void constraint() {
    Row row;
    row.name = numbered("c", ++constraints_);
    std::optional<Rational> cost;
    if (words_.accept("[")) {
      cost = number();
      if (!words_.accept("]")) throw InputError(path_ + ": checker: expected ']'");
    }
    Rational constant = 0;
    terms(row.terms, constant, row.products);
    const bool least = words_.accept(">="), most = !least && words_.accept("<=");
    if (!least && !most && !words_.accept("=")) {
      throw InputError(path_ + ": checker: expected a relation");
    }
    const Rational right = number() - constant;
    if (!most) row.lower = right;
    if (!least) row.upper = right;
    if (cost) {
      const std::size_t missed = variable("missed_" + row.name);
      row.when = {missed, false};
      add(model_.objective, missed, *cost);
      costs_ += *cost;
    }
    model_.rows.push_back(std::move(row));
  }

  Words words_;
  const std::string& path_;
  Model model_;
  std::map<std::string, std::size_t> index_;
  std::size_t constraints_ = 0;
  std::optional<Rational> top_;
  Rational costs_ = 0;
};

Model read_clauses(std::string_view text, const std::string& path, bool weighted) {
  text = text.substr(0, text.find("\n%"));
  Words words(text, path, 'c');
  Model model;
  if (weighted) model.objective_name = "cost";
  std::size_t variables = 0, clauses = 0;
  std::optional<Integer> top;
  const bool headed = words.accept("p");
  if (headed) {
    words.take();
    variables = static_cast<std::size_t>(words.whole());
    words.whole();  // clauses
    // Whether a top follows shows in the number of words of the first line.
    const std::size_t at = text.starts_with("p ") ? 0 : text.find("\np ") + 1;
    Words header(text.substr(at, text.find('\n', at) - at), path, '\0');
    std::size_t count = 0;
    for (; !header.done(); ++count) header.take();
    if (count == 5) top = words.whole();
  }
  while (!words.done()) {
    Row row;
    row.name = numbered("clause", ++clauses);
    if (weighted && !words.accept("h")) {
      const Integer weight = words.whole();
      if (!top || weight < *top) row.price = Rational(weight);
    }
    std::set<Integer> literals;
    for (Integer l = words.whole(); l != 0; l = words.whole()) literals.insert(l);
    bool holds = false;
    row.lower = 1;
    for (const Integer& l : literals) {
      const auto v = static_cast<std::size_t>(Integer(abs(l)));
      variables = std::max(variables, v);
      holds = holds || (l > 0 && literals.contains(-l));
      add(row.terms, v - 1, l > 0 ? 1 : -1);
      if (l < 0) *row.lower -= 1;
    }
    if (!holds) model.rows.push_back(std::move(row));
  }
  for (std::size_t k = 1; k <= variables; ++k) model.variables.push_back(binary(numbered("x", k)));
  return model;
}

}  // namespace

Model read_qkp(std::string_view text, const std::string& path) {
  // The first line that is not empty is a name.
  while (!text.empty() &&
         text.substr(0, text.find('\n')).find_first_not_of(" \t\r") == std::string_view::npos) {
    text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  }
  text.remove_prefix(std::min(text.size(), text.find('\n')));
  Words words(text, path, '\0');
  Model model;
  model.maximise = true;
  model.objective_name = "profit";
  const auto n = static_cast<std::size_t>(words.whole());
  for (std::size_t i = 0; i < n; ++i) {
    model.variables.push_back(binary(numbered("x", i + 1)));
    add(model.objective, i, Rational(words.whole()));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (const Integer value = words.whole(); value != 0) model.products[{i, j}] = value;
    }
  }
  if (words.whole() != 0) throw InputError(path + ": checker: expected a 0 before the capacity");
  Row row;
  row.name = "capacity";
  row.upper = Rational(words.whole());
  for (std::size_t i = 0; i < n; ++i) add(row.terms, i, Rational(words.whole()));
  model.rows.push_back(std::move(row));
  return model;
}

Model read_cnf(std::string_view text, const std::string& path) {
  return read_clauses(text, path, false);
}

Model read_wcnf(std::string_view text, const std::string& path) {
  return read_clauses(text, path, true);
}

Model read_pseudo_boolean(std::string_view text, const std::string& path) {
  return PseudoBoolean(text, path).read();
}

}  // namespace chainmail::checker
