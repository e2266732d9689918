#include "report/html_answer.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "report/digest.hpp"
#include "report/html_parts.hpp"
#include "report/picture.hpp"

namespace chainmail {
namespace {

using html::element;
using html::escaped;
using html::name_cell;

constexpr std::size_t kFolded = 400;                 // longer lists open on a click
constexpr std::size_t kFew = 8;                      // constraints that are all shown at once
constexpr std::size_t kRows = 300;                   // of a table; the rest is counted
constexpr std::size_t kRoomy = 20;                   // columns of a grid; more are set tightly
constexpr std::size_t kNames = 12;                   // in a cell of one
constexpr std::size_t kColumns = 40, kCells = 4000;  // of a grid of variables

std::string folded(const std::string& summary, const std::string& body, bool open) {
  if (open) return "<div class=\"box\">" + body + "</div>\n";
  return fmt::format("<details class=\"box\"><summary>{}</summary>{}</details>\n", summary, body);
}

std::string spin_text(Spin spin, bool bits) {
  if (bits) return spin > 0 ? "1" : "0";
  return spin > 0 ? "+" : "−";
}

// ---- a problem's state -------------------------------------------------------------------------

std::string plain_state(const std::vector<Spin>& solution, bool bits) {
  constexpr std::size_t kGroup = 10;
  const std::size_t width = std::to_string(solution.size()).size();
  std::string html = "<code class=\"spins\">";
  for (std::size_t first = 0; first < solution.size(); first += kGroup) {
    html += fmt::format("<span><i>{:>{}}</i> ", first, width);
    for (std::size_t k = first; k < std::min(first + kGroup, solution.size()); ++k)
      html += spin_text(solution[k], bits);
    html += "</span>\n";
  }
  return html + "</code>";
}

// Names in a cell of a table: the first few, the others counted.
class Names {
 public:
  void add(const std::string& name) { add_markup(escaped(name)); }
  void add_markup(const std::string& name) {
    if (++count_ <= kNames) text_ += (text_.empty() ? "" : " ") + name;
  }
  std::string text() const {
    return count_ <= kNames ? text_ : fmt::format("{} and {} more", text_, count_ - kNames);
  }
  std::size_t count() const { return count_; }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

std::string further_states(const Result& r) {
  if (r.pool.empty()) return "";
  std::string table = fmt::format(
      "<table class=\"list\"><tr><th scope=\"col\">rank</th><th scope=\"col\">{}</th>"
      "<th scope=\"col\">values that differ from the best</th></tr>\n",
      escaped(r.objective_name));
  const auto add = [&](std::size_t rank, const TrialResult& state) {
    Names differ;
    for (std::size_t k = 0; k < state.solution.size(); ++k) {
      if (state.solution[k] == r.best.solution[k]) continue;
      differ.add(r.names.size() == state.solution.size() ? r.names[k] : std::to_string(k));
    }
    table +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", rank,
                    amount_text(in_users_terms(state.energy, r)), rank == 1 ? "" : differ.text());
  };
  add(1, r.best);
  for (std::size_t k = 0; k < std::min(r.pool.size(), kRows); ++k) add(k + 2, r.pool[k]);
  return element("h3", "Solutions") + "<div class=\"box\">" + table + "</table></div>\n";
}

// ---- a model's answer --------------------------------------------------------------------------

// How a value is written: a model's as a number, a spin by its sign.
std::string value_text(std::int64_t value, bool spins) {
  if (!spins) return std::to_string(value);
  return value > 0 ? "+1" : "−1";
}

std::string value_list(const NamedValues& variables, bool spins) {
  std::string html = "<ul class=\"names\">\n";
  for (const auto& [name, value] : variables) {
    html += fmt::format("<li>{}<b>{}</b></li>\n", name_cell(name), value_text(value, spins));
  }
  return html + "</ul>\n";
}

// Further indices that are not zero ("late", "late=3"), or the value itself where there are none.
std::string cell_text(const std::vector<NameTable::Entry>& entries, bool spins) {
  std::string text;
  for (const auto& [rest, value] : entries) {
    if (value == 0 || (spins && value < 0 && !rest.empty())) continue;
    if (!text.empty()) text += " ";
    text += rest.empty()          ? value_text(value, spins)
            : spins || value == 1 ? escaped(rest)
                                  : fmt::format("{}={}", escaped(rest), value);
  }
  return text;
}

bool is_set(const std::vector<NameTable::Entry>& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.value > 0; });
}

std::string grid_table(const NameTable& table, bool spins) {
  std::string html = fmt::format("<table class=\"sheet{}\"><tr><th></th>",
                                 table.columns.size() > kRoomy ? " tight" : "");
  for (const std::string& name : table.columns) {
    html += fmt::format("<th scope=\"col\">{}</th>", name_cell(name));
  }
  html += "</tr>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    html += fmt::format("<tr><th scope=\"row\">{}</th>", name_cell(table.rows[i]));
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      const auto found = table.cells.find({i, j});
      if (found == table.cells.end()) {
        html += "<td class=\"none\"></td>";
        continue;
      }
      const std::string text = cell_text(found->second, spins);
      html += fmt::format("<td{}>{}</td>", is_set(found->second) ? " class=\"set\"" : "",
                          text.empty() ? "·" : text);
    }
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

// A row and its columns that are not zero, where a table of them all would be too wide.
std::string row_list(const NameTable& table, bool spins) {
  std::string html = "<table class=\"list\">\n";
  for (std::size_t i = 0; i < std::min(table.rows.size(), kRows); ++i) {
    Names names;
    for (auto at = table.cells.lower_bound({i, 0}); at != table.cells.end() && at->first.first == i;
         ++at) {
      if (!is_set(at->second)) continue;
      const std::string text = cell_text(at->second, spins);
      if (table.columns.empty()) {
        names.add_markup(text);
        continue;
      }
      const std::string column = escaped(table.columns[at->first.second]);
      names.add_markup(text == "1" || text == "+1" ? column : fmt::format("{}: {}", column, text));
    }
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", name_cell(table.rows[i]),
                        names.count() > 0 ? names.text() : "·");
  }
  html += "</table>\n";
  if (table.rows.size() > kRows) {
    html += element("p", fmt::format("and {} more rows", count_text(table.rows.size() - kRows)));
  }
  return html;
}

std::string table_of(const NameTable& table, bool spins) {
  const bool wide = table.columns.size() > kColumns || table.columns.empty() ||
                    table.rows.size() * table.columns.size() > kCells;
  std::string html = table.title.empty() ? "" : element("h3", escaped(table.title));
  return html + "<div class=\"box\">" + (wide ? row_list(table, spins) : grid_table(table, spins)) +
         "</div>\n";
}

// Tables first, then what is in none: what is not zero, and what is.
std::string variables(const NamedValues& all, const Grouping& how, bool spins) {
  const Grouped groups = grouped(all, how);
  std::string html;
  for (const NameTable& table : groups.tables) html += table_of(table, spins);
  NamedValues set, zero;
  for (const auto& variable : groups.others) {
    (variable.second != 0 ? set : zero).push_back(variable);
  }
  for (NamedValues* part : {&set, &zero}) {
    std::stable_sort(part->begin(), part->end(),
                     [](const auto& a, const auto& b) { return natural_less(a.first, b.first); });
  }
  if (!set.empty()) {
    html += folded(spins ? counted(set.size(), "spin")
                         : counted(set.size(), "variable is", "variables are") + " not zero",
                   value_list(set, spins), set.size() <= kFolded);
  }
  if (!zero.empty()) {
    std::string names;
    for (const auto& [name, value] : zero) names += escaped(name) + " ";
    html += folded(counted(zero.size(), "variable is", "variables are") + " zero",
                   "<p>" + names + "</p>", false);
  }
  return html;
}

std::string with_value(const std::string& name, std::int64_t value) {
  return value == 1 ? name : fmt::format("{}={}", name, value);
}

Names not_zero(const NamedAnswer& answer) {
  Names names;
  for (const auto& [name, value] : answer.variables) {
    if (value != 0) names.add(with_value(name, value));
  }
  return names;
}

// What is 1 (or another value) here but not in the best, and vice versa.
std::string changes(const NamedAnswer& answer, const NamedAnswer& best) {
  Names now, before;
  for (std::size_t k = 0; k < answer.variables.size(); ++k) {
    const auto& [name, value] = answer.variables[k];
    const std::int64_t was = best.variables[k].second;
    if (value == was) continue;
    if (value != 0) {
      now.add(with_value(name, value));
    } else {
      before.add(with_value(name, was));
    }
  }
  std::string text = now.count() > 0 ? now.text() : "";
  if (before.count() > 0) text += (text.empty() ? "" : "; ") + ("without " + before.text());
  return text;
}

// Short answers are shown whole, long ones by their difference from the best.
std::string solutions_table(const Result& r) {
  if (r.answers.size() < 2) return "";
  const NamedAnswer& best = r.answers.front();
  const bool whole = not_zero(best).count() <= kNames;
  std::string table = fmt::format(
      "<table class=\"list\"><tr><th scope=\"col\">rank</th><th scope=\"col\">{}</th>"
      "<th scope=\"col\">verdict</th><th scope=\"col\">{}</th></tr>\n",
      escaped(r.objective_name), whole ? "not zero" : "not zero, unlike in the best");
  for (std::size_t k = 0; k < std::min(r.answers.size(), kRows); ++k) {
    const NamedAnswer& answer = r.answers[k];
    const std::string names = whole ? not_zero(answer).text() : k == 0 ? "" : changes(answer, best);
    table += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", k + 1,
                         amount_text(answer.objective),
                         answer.feasible ? "feasible" : "not feasible", names);
  }
  return element("h3", "Solutions") + "<div class=\"box\">" + table + "</table></div>\n";
}

std::string state(const Result& r, const Grouping& how) {
  const std::vector<Spin>& spins = r.best.solution;
  const auto up = static_cast<std::uint64_t>(std::count(spins.begin(), spins.end(), Spin{1}));
  std::string html;
  if (r.objective_name == "cut") {
    html += element(
        "p", fmt::format("{} on one side, {} on the other.",
                         counted(up, "vertex is", "vertices are"), count_text(spins.size() - up)));
  }
  if (r.names.size() == spins.size()) {
    NamedValues all;
    for (std::size_t k = 0; k < spins.size(); ++k) {
      all.emplace_back(r.names[k], spins[k] > 0 ? 1 : r.bits ? 0 : -1);
    }
    return html + variables(all, how, !r.bits);
  }
  const std::string summary =
      fmt::format("{}, {} of them {}", counted(spins.size(), r.bits ? "variable" : "spin"),
                  count_text(up), r.bits ? "1" : "up");
  return html + folded(summary, plain_state(spins, r.bits), spins.size() <= kFolded);
}

struct ConstraintRow {
  std::string name, relation;
  double activity, bound, slack;
  bool violated;
};

void add_side(std::vector<ConstraintRow>& rows, const ModelConstraint& constraint,
              const Decimal& activity, const std::string& relation, const Decimal& bound) {
  const Decimal slack = relation == "≥" ? activity - bound : bound - activity;
  const bool violated = relation == "=" ? !slack.zero() : slack < 0;
  rows.push_back({constraint.name, relation, static_cast<double>(activity),
                  static_cast<double>(bound), static_cast<double>(slack), violated});
}

std::vector<ConstraintRow> constraint_rows(const ConstrainedModel& model,
                                           const NamedAnswer& answer) {
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : answer.variables) values.push_back(value);
  std::vector<ConstraintRow> rows;
  if (values.size() != model.variables.size()) return rows;
  for (const ModelConstraint& constraint : model.constraints) {
    const Decimal activity = constraint.left.exactly(values);
    if (constraint.lower == constraint.upper) {
      add_side(rows, constraint, activity, "=", constraint.upper);
      continue;
    }
    if (constraint.lower.finite()) {
      add_side(rows, constraint, activity, "≥", constraint.lower);
    }
    if (constraint.upper.finite()) {
      add_side(rows, constraint, activity, "≤", constraint.upper);
    }
  }
  // What is violated first, then what binds.
  std::stable_sort(rows.begin(), rows.end(), [](const ConstraintRow& a, const ConstraintRow& b) {
    return a.violated != b.violated ? a.violated : std::abs(a.slack) < std::abs(b.slack);
  });
  return rows;
}

std::string constraint_table(std::span<const ConstraintRow> rows) {
  std::string table =
      "<table class=\"list\"><tr><th scope=\"col\">name</th><th scope=\"col\">value</th>"
      "<th scope=\"col\"></th><th scope=\"col\">bound</th><th scope=\"col\">slack</th></tr>\n";
  for (const ConstraintRow& row : rows.first(std::min(rows.size(), kRows))) {
    table += fmt::format(
        "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        row.violated ? " class=\"violated\"" : "", name_cell(row.name), amount_text(row.activity),
        row.relation, amount_text(row.bound),
        row.violated ? "violated by " + amount_text(std::abs(row.slack)) : amount_text(row.slack));
  }
  table += "</table>";
  if (rows.size() > kRows) {
    table += element("p", fmt::format("and {} more; 'check' shows those that are violated",
                                      count_text(rows.size() - kRows)));
  }
  return table;
}

// What is violated, what binds (an inequality without slack), and the rest on a click.
std::string constraints(const ConstrainedModel& model, const NamedAnswer& answer) {
  std::vector<ConstraintRow> rows = constraint_rows(model, answer);
  if (rows.empty()) return "";
  const auto kind = [](const ConstraintRow& row) {
    return row.violated ? 0 : row.relation != "=" && row.slack == 0.0 ? 1 : 2;
  };
  const auto count_of = [&](int which) {
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [&](const auto& row) { return kind(row) == which; }));
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto& a, const auto& b) { return kind(a) < kind(b); });
  const std::size_t violated = count_of(0), binding = count_of(1), first = violated + binding;
  const std::string binds =
      binding > 0 ? fmt::format(" {}, without slack.", counted(binding, "binds", "bind")) : "";
  std::string html = element("h3", "Constraints");
  if (violated > 0) {
    html += element("p", fmt::format("{} of {} violated.{}", count_text(violated),
                                     counted(rows.size(), "is", "are"), binds));
  } else if (rows.size() == 1) {
    html += element("p", "It holds." + binds);
  } else {
    html += element("p", fmt::format("All {} hold.{}", count_text(rows.size()), binds));
  }
  const std::span all(rows);
  if (first > 0) {
    html += folded(counted(first, "constraint that binds", "constraints that bind"),
                   constraint_table(all.first(first)), first <= 40 || violated > 0);
  }
  if (first < rows.size()) {
    html += folded(counted(rows.size() - first, first > 0 ? "other constraint" : "constraint") +
                       ": equations, or with slack",
                   constraint_table(all.subspan(first)), rows.size() <= kFew);
  }
  return html;
}

}  // namespace

std::string html_answer(const Result& r, const Source* source, const Grouping& how) {
  const bool closest = !r.best.feasible && !r.best.solution.empty();
  std::string text = element("h2", closest ? "The closest state" : "The solution");
  if (r.best.solution.empty()) return text + element("p", "No state was recorded.");
  if (closest) {
    text += element(
        "p", r.copies > 1 ? fmt::format("This state is not feasible (g = {}); where copies of a "
                                        "spin disagree the majority is shown.",
                                        number_text(r.best.g))
             : r.answers.empty() || r.answers.front().violated == 0
                 ? fmt::format("This state is not feasible (g = {}).", number_text(r.best.g))
                 : "This state is not feasible: it violates " +
                       counted(r.answers.front().violated, "constraint") + ".");
  }
  const Picture picture = source == nullptr ? Picture{} : picture_for(r, *source);
  const std::string drawn = picture.svg.empty() ? "" : html::figure(picture.svg, picture.caption);
  if (r.answers.empty()) {
    const std::string words = state(r, how);
    const bool named = !r.names.empty();  // tables want the page's width
    if (drawn.empty() || named)
      text += words + html::figures(drawn);
    else
      text += html::figures("<div>\n" + words + "</div>\n" + drawn);
    return text + further_states(r);
  }
  const NamedAnswer& answer = r.answers.front();
  text += variables(answer.variables, how, false) + solutions_table(r);
  if (source != nullptr && source->model) text += constraints(source->model->model, answer);
  return text + html::figures(drawn);
}

}  // namespace chainmail
