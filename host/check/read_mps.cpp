// A second, independent reader of MPS and QPLIB files.
#include <set>
#include <sstream>

#include "check/readers.hpp"
#include "support/error.hpp"

namespace chainmail::checker {

namespace {

struct Line {
  std::vector<std::string> words;
  std::size_t number = 0;
  bool heading = false;
};

std::vector<Line> lines_of(std::string_view text, std::string_view comments) {
  std::vector<Line> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    Line found{{}, ++number, !line.empty() && line[0] != ' ' && line[0] != '\t'};
    std::istringstream stream(line);
    for (std::string word; stream >> word;) found.words.push_back(word);
    const bool comment =
        found.words.empty() || comments.find(found.words[0][0]) != std::string_view::npos;
    if (!comment) lines.push_back(std::move(found));
  }
  return lines;
}

Rational number(const Line& line, std::size_t word, const std::string& path) {
  std::size_t length = 0;
  const std::string text = word < line.words.size() ? line.words[word] : "";
  Rational value = decimal(text, length);
  if (length == 0 || length != text.size()) {
    throw InputError(path, line.number, "checker: expected a number, found '" + text + "'");
  }
  return value;
}

class Mps {
 public:
  Mps(std::string_view text, const std::string& path) : path_(path), lines_(lines_of(text, "*")) {}

  Model read() {
    std::string section;
    for (const Line& line : lines_) {
      const auto& words = line.words;
      if (line.heading) {
        section = words[0];
        if (section == "ENDATA") break;
        if (section == "OBJSENSE" && words.size() == 2) sense(words[1]);
      } else if (section == "OBJSENSE") {
        sense(words[0]);
      } else if (section == "ROWS") {
        row(words);
      } else if (section == "COLUMNS") {
        column(line);
      } else if (section == "RHS" || section == "RANGES") {
        for (std::size_t k = words.size() % 2; k + 1 < words.size(); k += 2) {
          right(section == "RHS", words[k], number(line, k + 1, path_));
        }
      } else if (section == "BOUNDS") {
        bound(line);
      } else if (section == "SOS") {
        if (words[0] == "S1") {
          model_.sets.push_back({words[words.size() > 2 ? 2 : 1], {}});
        } else {
          model_.sets.back().members.push_back(columns_.at(words[words.size() - 2]));
        }
      } else if (section == "INDICATORS") {
        model_.rows[rows_.at(words.at(1)).second].when = {columns_.at(words.at(2)),
                                                          words.at(3) == "1"};
      }
    }
    return std::move(model_);
  }

 private:
  void sense(const std::string& word) { model_.maximise = word.starts_with("MAX"); }

  void row(const std::vector<std::string>& words) {
    const char kind = words.at(0)[0];
    rows_[words.at(1)] = {kind, model_.rows.size()};
    if (kind == 'N') {
      if (objective_.empty()) objective_ = model_.objective_name = words[1];
      return;
    }
    Row row;
    row.name = words[1];
    if (kind != 'L') row.lower = 0;
    if (kind != 'G') row.upper = 0;
    model_.rows.push_back(std::move(row));
  }

  void column(const Line& line) {
    const auto& words = line.words;
    if (words.size() == 3 && words[1] == "'MARKER'") return;
    const auto [found, fresh] = columns_.try_emplace(words[0], model_.variables.size());
    if (fresh) model_.variables.push_back({words[0]});
    for (std::size_t k = 1; k + 1 < words.size(); k += 2) {
      const Rational value = number(line, k + 1, path_);
      const auto& [kind, index] = rows_.at(words[k]);
      if (kind != 'N') {
        model_.rows[index].terms[found->second] += value;
      } else if (words[k] == objective_) {
        model_.objective[found->second] += value;
      }
    }
  }

  void right(bool side, const std::string& name, const Rational& value) {
    const auto& [kind, index] = rows_.at(name);
    if (kind == 'N') {
      if (name == objective_) model_.constant = -value;
      return;
    }
    Row& row = model_.rows[index];
    if (side) {
      if (kind != 'L') row.lower = value;
      if (kind != 'G') row.upper = value;
    } else if (kind == 'L' || (kind == 'E' && value < 0)) {
      row.lower = *row.upper - abs(value);
    } else {
      row.upper = *row.lower + abs(value);
    }
  }

  void bound(const Line& line) {
    const std::string& kind = line.words.at(0);
    const bool has_value = std::string("UPLOFXUILI").find(kind) % 2 == 0;
    const std::size_t last = line.words.size() - 1;
    Variable& v = model_.variables[columns_.at(line.words[has_value ? last - 1 : last])];
    const Rational value = has_value ? number(line, last, path_) : Rational(kind == "BV" ? 1 : 0);
    if (kind == "LO" || kind == "LI" || kind == "FX") v.lower = value;
    if (kind == "UP" || kind == "UI" || kind == "FX" || kind == "BV") v.upper = value;
    if (kind == "BV") v.lower = 0;
    if (kind == "FR" || kind == "MI") v.lower.reset();
    if (kind == "FR" || kind == "PL") v.upper.reset();
  }

  std::string path_, objective_;
  std::vector<Line> lines_;
  Model model_;
  std::map<std::string, std::pair<char, std::size_t>> rows_;
  std::map<std::string, std::size_t> columns_;
};

class Qplib {
 public:
  Qplib(std::string_view text, const std::string& path)
      : path_(path), lines_(lines_of(text, "!%#")) {}

  Model read() {
    next();
    const std::string kind = next().words[0];
    model_.maximise = next().words[0][0] == 'm' ? lines_[at_ - 1].words[0] == "maximize"
                                                : lines_[at_ - 1].words[0] == "Maximize";
    const std::size_t n = count(), m = kind[2] == 'L' ? count() : 0;
    for (std::size_t v = 0; v < n; ++v) {
      model_.variables.push_back({"x" + std::to_string(v + 1)});
      model_.variables.back().upper = kind[1] == 'B' ? 1 : 0;
    }
    if (kind[0] != 'L') {
      for (std::size_t k = count(); k > 0; --k) {
        const Line& line = next();
        const std::size_t i = index(line, 0), j = index(line, 1);
        model_.products[{std::min(i, j), std::max(i, j)}] +=
            number(line, 2, path_) / (i == j ? 2 : 1);
      }
    }
    const auto linear = defaults(n);
    for (std::size_t v = 0; v < n; ++v) {
      if (linear[v] != 0) model_.objective[v] = linear[v];
    }
    model_.constant = number(next(), 0, path_);
    model_.rows.resize(m);
    if (m > 0 || kind[2] == 'L') {
      for (std::size_t k = count(); k > 0; --k) {
        const Line& line = next();
        model_.rows[index(line, 0)].terms[index(line, 1)] = number(line, 2, path_);
      }
    }
    infinity_ = number(next(), 0, path_);
    if (kind[2] == 'L') {
      const auto lower = defaults(m), upper = defaults(m);
      for (std::size_t c = 0; c < m; ++c) {
        model_.rows[c].name = "c" + std::to_string(c + 1);
        model_.rows[c].lower = limit(lower[c]);
        model_.rows[c].upper = limit(upper[c]);
      }
    }
    if (kind[1] != 'B') {
      const auto lower = defaults(n), upper = defaults(n);
      for (std::size_t v = 0; v < n; ++v) {
        model_.variables[v].lower = limit(lower[v]);
        model_.variables[v].upper = limit(upper[v]);
      }
    }
    defaults(n);  // a starting point and multipliers, of no use here
    if (kind[2] == 'L') defaults(m);
    defaults(n);
    for (std::size_t k = count(); k > 0; --k) {
      const Line& line = next();
      model_.variables[index(line, 0)].name = line.words.at(1);
    }
    for (std::size_t k = kind[2] == 'L' ? count() : 0; k > 0; --k) {
      const Line& line = next();
      model_.rows[index(line, 0)].name = line.words.at(1);
    }
    return std::move(model_);
  }

 private:
  const Line& next() {
    if (at_ == lines_.size()) throw InputError(path_ + ": checker: the file ends too early");
    return lines_[at_++];
  }
  std::size_t count() { return std::stoull(next().words[0]); }
  static std::size_t index(const Line& line, std::size_t word) {
    return std::stoull(line.words.at(word)) - 1;
  }
  std::vector<Rational> defaults(std::size_t size) {
    std::vector<Rational> values(size, number(next(), 0, path_));
    for (std::size_t k = count(); k > 0; --k) {
      const Line& line = next();
      values.at(index(line, 0)) = number(line, 1, path_);
    }
    return values;
  }
  std::optional<Rational> limit(const Rational& value) const {
    if (abs(value) >= infinity_) return std::nullopt;
    return value;
  }

  std::string path_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
  Rational infinity_ = 0;
  Model model_;
};

}  // namespace

Model read_mps(std::string_view text, const std::string& path) {
  return Mps(text, path).read();
}

Model read_qplib(std::string_view text, const std::string& path) {
  return Qplib(text, path).read();
}

}  // namespace chainmail::checker
