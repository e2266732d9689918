// MPS files of linear models, fixed or free format (names without spaces, so both are words), with
// sets of kind S1 and indicators. Our own reader, although Debian has libraries that read MPS: they
// print errors instead of returning file, line and word, or end the process, and the format is a
// page. Where readers of MPS disagree (an integer variable without bounds, a negative upper bound
// without a lower one) the file is refused rather than guessed at.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "model/model_formats.hpp"
#include "problem/text_lines.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

class MpsReader {
 public:
  MpsReader(std::string_view text, const std::string& path) : lines_(text, path) {}

  ConstrainedModel read() {
    while (lines_.next()) {
      const std::string_view first = lines_.words()[0];
      if (first.starts_with('*')) continue;
      const bool heading = lines_.line()[0] != ' ' && lines_.line()[0] != '\t';
      if (heading) {
        if (first == "ENDATA") {
          finish();
          return std::move(model_);
        }
        begin_section();
      } else {
        read_line();
      }
    }
    lines_.fail_at(std::max<std::size_t>(1, lines_.number_of_line()),
                   "expected ENDATA, found the end of the file");
  }

 private:
  struct Row {
    char kind;               // N, L, G or E
    std::size_t constraint;  // index, unless N
    bool objective = false;
    bool has_right = false, has_range = false;
  };
  struct Column {
    bool lower_given = false, upper_given = false;
    std::size_t line = 0;
    std::set<std::size_t> rows;
  };

  void begin_section() {
    const auto& words = lines_.words();
    section_ = std::string(words[0]);
    if (section_ == "NAME") {
      const std::string name(lines_.rest(1));
      if (is_label(name)) model_.name = name;
      return;
    }
    if (section_ == "OBJSENSE" && words.size() == 2) {
      set_sense(words[1]);
      return;
    }
    constexpr std::string_view kKnown[] = {"OBJSENSE", "ROWS",   "COLUMNS", "RHS",
                                           "RANGES",   "BOUNDS", "SOS",     "INDICATORS"};
    if (std::find(std::begin(kKnown), std::end(kKnown), section_) == std::end(kKnown)) {
      lines_.fail_expected(
          "a section of a linear model (ROWS, COLUMNS, RHS, RANGES, BOUNDS, SOS, INDICATORS)");
    }
    lines_.expect_words(1, section_ + " alone");
    if (section_ != "OBJSENSE" && !sections_.insert(section_).second) {
      lines_.fail_expected("each section once");
    }
  }

  void read_line() {
    if (section_ == "OBJSENSE") {
      lines_.expect_words(1, "MAX or MIN");
      set_sense(lines_.words()[0]);
    } else if (section_ == "ROWS") {
      read_row();
    } else if (section_ == "COLUMNS") {
      read_column();
    } else if (section_ == "RHS" || section_ == "RANGES") {
      read_right();
    } else if (section_ == "BOUNDS") {
      read_bound();
    } else if (section_ == "SOS") {
      read_set();
    } else if (section_ == "INDICATORS") {
      read_indicator();
    } else {
      lines_.fail_expected("a section");
    }
  }

  void set_sense(std::string_view word) {
    if (word == "MAX" || word == "MAXIMIZE") {
      model_.sense = Sense::maximise;
    } else if (word != "MIN" && word != "MINIMIZE") {
      lines_.fail_expected("MAX or MIN");
    }
  }

  void read_row() {
    lines_.expect_words(2, "a kind of row (N, L, G, E) and its name");
    const auto& words = lines_.words();
    if (words[0].size() != 1 || std::string_view("NLGE").find(words[0][0]) == std::string::npos) {
      lines_.fail_expected("a kind of row (N, L, G, E) and its name");
    }
    Row row{words[0][0], model_.constraints.size()};
    if (row.kind == 'N') {
      row.objective = !has_objective_;
      if (row.objective) model_.objective_name = std::string(words[1]);
      has_objective_ = true;
    }
    if (!row_index_.emplace(words[1], rows_.size()).second) {
      lines_.fail("expected a new name, found a second row " + in_quotes(words[1]));
    }
    if (row.kind != 'N') {
      ModelConstraint c;
      c.name = std::string(words[1]);
      if (row.kind != 'L') c.lower = 0.0;
      if (row.kind != 'G') c.upper = 0.0;
      model_.constraints.push_back(std::move(c));
    }
    rows_.push_back(row);
  }

  std::size_t row_named(std::string_view name) const {
    const auto found = row_index_.find(name);
    if (found == row_index_.end()) lines_.fail("expected a row's name, found " + in_quotes(name));
    return found->second;
  }

  void read_column() {
    const auto& words = lines_.words();
    if (words.size() == 3 && words[1] == "'MARKER'") {
      const bool start = words[2] == "'INTORG'";
      if ((!start && words[2] != "'INTEND'") || start == integer_) {
        lines_.fail_expected("'INTORG' and 'INTEND' in turn");
      }
      integer_ = start;
      return;
    }
    if (words.size() != 3 && words.size() != 5) {
      lines_.fail_expected("a column, a row and a value, or two rows with values");
    }
    if (model_.variables.empty() || words[0] != model_.variables.back().name) {
      if (!column_index_.emplace(words[0], model_.variables.size()).second) {
        lines_.fail("expected a new name, found a second column " + in_quotes(words[0]));
      }
      model_.variables.push_back({std::string(words[0]), 0.0, kUnbounded});
      columns_.push_back({false, false, lines_.number_of_line(), {}});
      if (!integer_) continuous_.push_back(columns_.size() - 1);
    }
    const auto v = static_cast<std::uint32_t>(model_.variables.size() - 1);
    for (std::size_t k = 1; k < words.size(); k += 2) {
      const std::size_t r = row_named(words[k]);
      const Decimal value = lines_.decimal(k + 1, "a coefficient");
      if (!columns_[v].rows.insert(r).second) {
        lines_.fail("expected each row once in a column, found " + in_quotes(words[k]) + " again");
      }
      if (rows_[r].objective) model_.objective.linear.push_back({v, value});
      if (rows_[r].kind == 'N') continue;
      model_.constraints[rows_[r].constraint].left.linear.push_back({v, value});
    }
  }

  void check_set(std::string_view name) {
    const auto [found, fresh] = set_names_.try_emplace(section_, name);
    if (!fresh && found->second != name) {
      lines_.fail("expected one set of " + section_ + ", found a second, " + in_quotes(name));
    }
  }

  void read_right() {
    const auto& words = lines_.words();
    if (words.size() < 2 || words.size() > 5) lines_.fail_expected("a set, rows and values");
    const std::size_t first = words.size() % 2;
    if (first == 1) check_set(words[0]);
    for (std::size_t k = first; k < words.size(); k += 2) {
      Row& row = rows_[row_named(words[k])];
      const Decimal value = lines_.decimal(k + 1, "a number");
      bool& given = section_ == "RHS" ? row.has_right : row.has_range;
      if (given) lines_.fail("expected each row once, found " + in_quotes(words[k]) + " again");
      given = true;
      if (section_ == "RHS") {
        set_right(row, value);
      } else {
        set_range(row, value);
      }
    }
  }

  void set_right(const Row& row, const Decimal& value) {
    if (row.objective) model_.objective.constant = -value;
    if (row.kind == 'N') return;
    ModelConstraint& c = model_.constraints[row.constraint];
    if (row.kind != 'L') c.lower = value;
    if (row.kind != 'G') c.upper = value;
  }

  void set_range(const Row& row, const Decimal& value) {
    if (row.kind == 'N') lines_.fail_expected("a range of a row that is not N");
    ModelConstraint& c = model_.constraints[row.constraint];
    const Decimal width = value.magnitude();
    try {
      if (row.kind == 'L' || (row.kind == 'E' && value < 0)) {
        c.lower = c.upper - width;
      } else {
        c.upper = c.lower + width;
      }
    } catch (const TooManyDigits&) {
      lines_.fail("expected a range whose ends have 38 digits at most");
    }
  }

  std::uint32_t column_named(std::string_view name) const {
    const auto found = column_index_.find(name);
    if (found == column_index_.end()) {
      lines_.fail("expected a column's name, found " + in_quotes(name));
    }
    return static_cast<std::uint32_t>(found->second);
  }

  // `S1 name` or `S1 SOS name priority` begins a set; `column weight` or `SOS column weight` adds a
  // member. The weights only order them.
  void read_set() {
    const auto& words = lines_.words();
    const bool begins = words[0] == "S1" || words[0] == "S2";
    if (begins && words[0] == "S2") lines_.fail_expected("a set of kind S1");
    if (words.size() < 2 || words.size() > (begins ? 4 : 3) || (!begins && model_.sets.empty())) {
      lines_.fail_expected("a set `S1 name` or its members `column weight`");
    }
    if (begins) {
      model_.sets.push_back({std::string(words[words.size() > 2 ? 2 : 1]), {}});
      return;
    }
    lines_.real(words.size() - 1, "a weight");
    model_.sets.back().variables.push_back(column_named(words[words.size() - 2]));
  }

  void read_indicator() {
    const auto& words = lines_.words();
    if (words.size() != 4 || words[0] != "IF") {
      lines_.fail_expected("`IF row column 0` or `IF row column 1`");
    }
    const Row& row = rows_[row_named(words[1])];
    if (row.kind == 'N') lines_.fail_expected("an indicator of a row that is not N");
    ModelConstraint& c = model_.constraints[row.constraint];
    if (c.when)
      lines_.fail("expected one indicator per row, found a second of " + in_quotes(words[1]));
    c.when = {column_named(words[2]), lines_.integer(3, 0, 1, "a value") == 1};
  }

  void read_bound() {
    const auto& words = lines_.words();
    const std::string kind(words[0]);
    const bool has_value =
        kind == "UP" || kind == "LO" || kind == "FX" || kind == "UI" || kind == "LI";
    const bool known = has_value || kind == "FR" || kind == "MI" || kind == "PL" || kind == "BV";
    const std::size_t least = has_value ? 3 : 2;
    if (!known || words.size() < least || words.size() > least + 1) {
      lines_.fail_expected("a bound: UP, LO, FX, UI or LI with a value, FR, MI, PL or BV without");
    }
    if (words.size() == least + 1) check_set(words[1]);
    const std::string_view name = words[words.size() == least + 1 ? 2 : 1];
    const std::uint32_t column = column_named(name);
    const Decimal value = has_value ? lines_.decimal(words.size() - 1, "a bound") : 0;
    set_bound(kind, column, value);
  }

  void set_bound(const std::string& kind, std::size_t index, const Decimal& value) {
    ModelVariable& v = model_.variables[index];
    Column& column = columns_[index];
    const bool lower = kind != "UP" && kind != "UI" && kind != "PL";
    const bool upper = kind != "LO" && kind != "LI" && kind != "MI";
    if ((lower && column.lower_given) || (upper && column.upper_given)) {
      lines_.fail("expected one bound per side, found a second one of " + in_quotes(v.name));
    }
    if (lower) {
      v.lower = kind == "FR" || kind == "MI" ? -Decimal::infinity() : value;
      column.lower_given = true;
    }
    if (upper) {
      v.upper = kind == "FR" || kind == "PL" ? Decimal::infinity()
                : kind == "BV"               ? Decimal(1)
                                             : value;
      column.upper_given = true;
    }
    if (kind == "BV" || kind == "UI" || kind == "LI") std::erase(continuous_, index);
    if ((kind == "UP" || kind == "UI") && value < 0 && !column.lower_given) {
      lines_.fail("expected a lower bound of " + in_quotes(v.name) +
                  " before its negative upper bound: readers disagree on what it would be");
    }
    if (column.lower_given && column.upper_given && v.lower > v.upper) {
      lines_.fail(fmt::format("expected a value between the bounds of {}, found none from {} to {}",
                              in_quotes(v.name), v.lower.text(), v.upper.text()));
    }
  }

  void finish() {
    if (!sections_.contains("ROWS") || !sections_.contains("COLUMNS")) {
      lines_.fail("expected the sections ROWS and COLUMNS before ENDATA");
    }
    if (integer_) lines_.fail("expected 'INTEND' before ENDATA");
    if (!continuous_.empty()) {
      const std::size_t index = continuous_.front();
      lines_.fail_at(columns_[index].line, "expected binary and integer variables only, found " +
                                               in_quotes(model_.variables[index].name) +
                                               ", which is continuous");
    }
    for (std::size_t v = 0; v < columns_.size(); ++v) {
      if (columns_[v].lower_given || columns_[v].upper_given) continue;
      lines_.fail_at(columns_[v].line, "expected a bound of the integer variable " +
                                           in_quotes(model_.variables[v].name) +
                                           ": readers disagree on what it is without one");
    }
    model_.objective.normalise();
    for (ModelConstraint& c : model_.constraints) c.left.normalise();
    while (lines_.next()) {
      if (!lines_.words()[0].starts_with('*')) lines_.fail_expected("nothing after ENDATA");
    }
  }

  TextLines lines_;
  ConstrainedModel model_;
  std::string section_;
  std::set<std::string> sections_;
  std::vector<Row> rows_;
  std::vector<Column> columns_;
  std::vector<std::size_t> continuous_;
  std::unordered_map<std::string_view, std::size_t> row_index_, column_index_;
  std::unordered_map<std::string, std::string> set_names_;
  bool has_objective_ = false, integer_ = false;
};

}  // namespace

ConstrainedModel read_mps(std::string_view text, const std::string& path, const ModelOptions&) {
  return MpsReader(text, path).read();
}

}  // namespace chainmail
