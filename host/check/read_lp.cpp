// A second, independent LP reader: lines become sections, sections become words.
#include <algorithm>
#include <cctype>
#include <set>

#include "check/readers.hpp"
#include "support/error.hpp"

namespace chainmail::checker {

namespace {

enum class Section {
  none,
  minimise,
  maximise,
  rows,
  bounds,
  general,
  binary,
  spins,
  soft,
  sets,
  end
};

struct Word {
  std::string text;
  std::size_t line = 0;
  bool number = false, name = false;
  Rational value = 0;
};

struct Heading {
  const char* words;
  Section section;
};
constexpr Heading kHeadings[] = {
    {"minimize", Section::minimise},
    {"minimise", Section::minimise},
    {"minimum", Section::minimise},
    {"min", Section::minimise},
    {"maximize", Section::maximise},
    {"maximise", Section::maximise},
    {"maximum", Section::maximise},
    {"max", Section::maximise},
    {"subject to", Section::rows},
    {"such that", Section::rows},
    {"st", Section::rows},
    {"s.t.", Section::rows},
    {"st.", Section::rows},
    {"bounds", Section::bounds},
    {"bound", Section::bounds},
    {"general", Section::general},
    {"generals", Section::general},
    {"gen", Section::general},
    {"integer", Section::general},
    {"integers", Section::general},
    {"int", Section::general},
    {"binary", Section::binary},
    {"binaries", Section::binary},
    {"bin", Section::binary},
    {"spins", Section::spins},
    {"spin", Section::spins},
    {"soft constraints", Section::soft},
    {"sos", Section::sets},
    {"end", Section::end},
};

class Lp {
 public:
  Lp(std::string_view text, const std::string& path) : path_(path) {
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string line(text.substr(0, end));
      text.remove_prefix(std::min(text.size(), end + 1));
      ++number;
      line.erase(std::min(line.find('\\'), line.size()));
      split(line, number);
    }
  }

  Model read() {
    for (auto& [section, words] : sections_) {
      words_ = &words;
      at_ = 0;
      section_ = section;
      if (section == Section::minimise || section == Section::maximise) {
        model_.maximise = section == Section::maximise;
        const std::string name = label();
        if (!name.empty()) model_.objective_name = name;
        Row terms;
        expression(terms, model_.constant);
        model_.objective = terms.terms;
        model_.products = terms.products;
      }
      while (!done()) entry();
    }
    name_the_nameless();
    return std::move(model_);
  }

 private:
  // Headings count at the start of a line only, and not as labels.
  void split(const std::string& line, std::size_t number) {
    std::size_t at = 0;
    const auto blank = [&] {
      while (at < line.size() && std::isspace(static_cast<unsigned char>(line[at]))) ++at;
    };
    blank();
    std::string lower(line.substr(at));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string squeezed;  // single spaces between words
    for (const char c : lower) {
      const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (space && (squeezed.empty() || squeezed.back() == ' ')) continue;
      squeezed += space ? ' ' : c;
    }
    for (const Heading& heading : kHeadings) {
      const std::string word = heading.words;
      if (squeezed.compare(0, word.size(), word) != 0) continue;
      const std::string rest = squeezed.substr(word.size());
      if (!rest.empty() && (is_name(rest[0]) || rest[0] == '-')) continue;
      const std::size_t next = rest.find_first_not_of(' ');
      if (next != std::string::npos && rest[next] == ':') continue;
      sections_.push_back({heading.section, {}});
      at += word.find(' ') == std::string::npos
                ? word.size()
                : lower.find(word.substr(word.find(' ') + 1), word.find(' ')) + word.size() -
                      word.find(' ') - 1;
      break;
    }
    for (blank(); at < line.size(); blank()) {
      if (sections_.empty()) fail(number, "expected Minimize or Maximize");
      Word word{{}, number};
      std::size_t length = 0;
      const bool sign = line[at] == '-' || line[at] == '+';
      if (!sign) word.value = decimal(line.substr(at), length);
      word.number = length > 0;
      if (!word.number && is_name(line[at])) {
        while (at + length < line.size() && is_name(line[at + length])) ++length;
        word.name = true;
      }
      if (length == 0) {
        const std::string two = line.substr(at, 2);
        const bool pair = two == "<=" || two == ">=" || two == "=<" || two == "=>" || two == "->";
        length = pair ? 2 : 1;
      }
      word.text = line.substr(at, length);
      if (word.text == "<" || word.text == "=<") word.text = "<=";
      if (word.text == ">" || word.text == "=>") word.text = ">=";
      at += length;
      sections_.back().second.push_back(std::move(word));
    }
  }

  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("!\"#$%&(),.;?@_`'{}|~").find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw InputError(path_, line, "checker: " + what);
  }

  bool done() const { return at_ >= words_->size(); }
  const Word& peek(std::size_t ahead = 0) const {
    static const Word none{};
    return at_ + ahead < words_->size() ? (*words_)[at_ + ahead] : none;
  }
  const Word& take() {
    if (done()) fail(words_->empty() ? 1 : words_->back().line, "a section ends too early");
    return (*words_)[at_++];
  }
  bool accept(const std::string& text) {
    if (peek().name || peek().text != text) return false;
    ++at_;
    return true;
  }
  bool is_relation() const {
    return peek().text == "<=" || peek().text == ">=" || peek().text == "=";
  }

  std::string label() {
    if (!peek().name || peek(1).text != ":") return {};
    std::string name = take().text;
    take();
    return name;
  }

  std::size_t variable(const std::string& name) {
    const auto [found, fresh] = index_.try_emplace(name, model_.variables.size());
    if (fresh) model_.variables.push_back({name});
    return found->second;
  }

  bool signs(Rational& factor) {
    bool any = false;
    while (peek().text == "+" || peek().text == "-") {
      if (take().text == "-") factor = -factor;
      any = true;
    }
    return any;
  }

  void expression(Row& to, Rational& constant) {
    for (bool first = true; !done(); first = false) {
      Rational factor = 1;
      const bool sign = signs(factor);
      if (!sign && (!first || !(peek().number || peek().name || peek().text == "["))) return;
      if (accept("[")) {
        quadratic(to, factor);
        continue;
      }
      if (peek().number) {
        factor *= take().value;
        if (!peek().name) {
          constant += factor;
          continue;
        }
      }
      to.terms[variable(take().text)] += factor;
    }
  }

  void quadratic(Row& to, const Rational& outer) {
    Products found;
    while (!accept("]")) {
      Rational factor = outer;
      signs(factor);
      if (peek().number) factor *= take().value;
      std::vector<std::size_t> factors;
      do {
        const std::size_t v = variable(take().text);
        const Rational power = accept("^") ? take().value : Rational(1);
        for (int k = 0; k < power; ++k) factors.push_back(v);
      } while (accept("*"));
      std::sort(factors.begin(), factors.end());
      found[factors] += factor;
    }
    Rational divisor = 1;
    if (accept("/")) divisor = take().value;
    for (const auto& [factors, value] : found) to.products[factors] += value / divisor;
  }

  void entry() {
    switch (section_) {
      case Section::rows:
        model_.rows.emplace_back();
        model_.rows.back().name = label();
        relation(model_.rows.back());
        break;
      case Section::bounds:
        bound();
        break;
      case Section::general:
        take();
        break;
      case Section::binary: {
        Variable& v = model_.variables[variable(take().text)];
        if (!v.lower || *v.lower < 0) v.lower = 0;
        if (!v.upper || *v.upper > 1) v.upper = 1;
        break;
      }
      case Section::spins: {
        Variable& v = model_.variables[variable(take().text)];
        if (!v.lower || *v.lower <= 0) v.lower = -1;
        if (!v.upper || *v.upper > 1) v.upper = 1;
        v.spin = true;
        break;
      }
      case Section::soft: {
        const std::string name = take().text;
        for (Row& row : model_.rows) {
          if (row.name == name) row.price = take().value;
        }
        break;
      }
      case Section::sets:
        member();
        break;
      default:
        fail(peek().line, "expected a section, found '" + peek().text + "'");
    }
  }

  static void limit(Row& row, const std::string& relation, const Rational& value) {
    if (relation != "<=") row.lower = value;
    if (relation != ">=") row.upper = value;
  }
  static std::string turned(const std::string& relation) {
    return relation == "<=" ? ">=" : relation == ">=" ? "<=" : relation;
  }

  void relation(Row& row) {
    Rational constant = 0;
    expression(row, constant);
    if (!is_relation()) fail(peek().line, "expected a relation, found '" + peek().text + "'");
    const std::string first = take().text;
    if (row.terms.empty() && row.products.empty()) {
      limit(row, turned(first), constant);
      constant = 0;
      expression(row, constant);
      if (is_relation()) {
        const std::string second = take().text;
        Rational factor = 1;
        signs(factor);
        limit(row, second, factor * take().value);
      }
    } else {
      Rational right = 0;
      right_side(row, right);
      if (accept("->")) {
        const std::size_t z = row.terms.begin()->first;
        const bool value = right == 1;
        Row then;
        then.name = row.name;
        then.when = {z, value};
        row = std::move(then);
        relation(row);
        return;
      }
      limit(row, first, right);
    }
    if (row.lower) *row.lower -= constant;
    if (row.upper) *row.upper -= constant;
  }

  // Terms on the right change sign. A name without a sign begins the next row, also after a number
  // unless both are on one line; so does a sign at the start of a line after a number alone.
  void right_side(Row& row, Rational& right) {
    std::size_t line = 0;
    bool number_alone = true;
    for (bool first = true; !done(); first = false) {
      if (!first && number_alone && peek().line != line) return;
      Rational factor = 1;
      if (!signs(factor) && !first) return;
      if (peek().number) {
        line = peek().line;
        factor *= take().value;
        if (!peek().name || peek().line != line || peek(1).text == ":") {
          right += factor;
          continue;
        }
      }
      number_alone = false;
      row.terms[variable(take().text)] -= factor;
    }
  }

  // A number or an infinity, which means no limit; nothing if neither follows.
  std::optional<std::optional<Rational>> bound_value() {
    Rational factor = 1;
    signs(factor);
    std::string word = peek().text;
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (peek().number) return std::optional<Rational>(factor * take().value);
    if (word != "inf" && word != "infinity") return std::nullopt;
    take();
    return std::optional<Rational>();
  }

  void bound() {
    const auto set = [&](Variable& v, const std::string& relation,
                         const std::optional<Rational>& value) {
      if (relation != "<=") v.lower = value;
      if (relation != ">=") v.upper = value;
    };
    const auto left = bound_value();
    const std::string relation = left ? turned(take().text) : "";
    Variable& v = model_.variables[variable(take().text)];
    if (left) set(v, relation, *left);
    if (is_relation()) {
      const std::string second = take().text;
      const auto right = bound_value();
      if (!right) fail(peek().line, "expected a bound");
      set(v, second, *right);
    } else if (!left) {
      take();  // free
      v.lower.reset();
      v.upper.reset();
    }
  }

  void member() {
    const std::string name = take().text;
    take();  // :
    if (accept(":")) {
      model_.sets.push_back({set_name_, {}});
      set_name_.clear();
    } else if (peek().number && set_name_.empty() && !model_.sets.empty()) {
      take();
      model_.sets.back().members.push_back(variable(name));
    } else {
      set_name_ = name;
    }
  }

  // R7 is the seventh row, SOS2 the second set, with ' appended while the name is taken.
  void name_the_nameless() {
    std::set<std::string> taken;
    for (const Row& row : model_.rows) taken.insert(row.name);
    for (const Set& set : model_.sets) taken.insert(set.name);
    const auto give = [&](std::string& name, const char* stem, std::size_t number) {
      if (!name.empty()) return;
      name = stem + std::to_string(number);
      while (!taken.insert(name).second) name += "'";
    };
    for (std::size_t k = 0; k < model_.rows.size(); ++k) give(model_.rows[k].name, "R", k + 1);
    for (std::size_t k = 0; k < model_.sets.size(); ++k) give(model_.sets[k].name, "SOS", k + 1);
  }

  std::string path_;
  std::vector<std::pair<Section, std::vector<Word>>> sections_;
  const std::vector<Word>* words_ = nullptr;
  std::size_t at_ = 0;
  Section section_ = Section::none;
  std::string set_name_;
  Model model_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace

Model read_lp(std::string_view text, const std::string& path) {
  return Lp(text, path).read();
}

}  // namespace chainmail::checker
