#include "report/html_answer.hpp"

#include <algorithm>
#include <cmath>

#include "report/digest.hpp"
#include "report/html_parts.hpp"
#include "report/picture.hpp"

namespace chainmail {
namespace {

using html::element;
using html::escaped;
using html::name_cell;

constexpr std::size_t kFolded = 400;  // longer lists open on a click
constexpr std::size_t kRows = 300;    // of a table; the rest is counted
constexpr std::size_t kNames = 12;    // in a cell of one

std::string folded(const std::string& summary, const std::string& body, bool open) {
  if (open) return "<div class=\"box\">" + body + "</div>\n";
  return fmt::format("<details class=\"box\"><summary>{}</summary>{}</details>\n", summary, body);
}

std::string spin_text(Spin spin, bool bits) {
  if (bits) return spin > 0 ? "1" : "0";
  return spin > 0 ? "+" : "−";
}

// ---- a problem's state -------------------------------------------------------------------------

std::string named_state(const Result& r) {
  std::string html = "<ul class=\"names\">\n";
  for (std::size_t k = 0; k < r.best.solution.size(); ++k) {
    html += fmt::format("<li>{}<b>{}{}</b></li>\n", name_cell(r.names[k]),
                        spin_text(r.best.solution[k], r.bits), r.bits ? "" : "1");
  }
  return html + "</ul>\n";
}

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
  void add(const std::string& name) {
    if (++count_ <= kNames) text_ += (text_.empty() ? "" : " ") + escaped(name);
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
    table += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", rank,
                         number_text(in_users_terms(state.energy, r), 9),
                         rank == 1 ? "" : differ.text());
  };
  add(1, r.best);
  for (std::size_t k = 0; k < std::min(r.pool.size(), kRows); ++k) add(k + 2, r.pool[k]);
  return element("h3", "Solutions") + "<div class=\"box\">" + table + "</table></div>\n";
}

std::string state(const Result& r) {
  const std::vector<Spin>& spins = r.best.solution;
  const auto up = static_cast<std::uint64_t>(std::count(spins.begin(), spins.end(), Spin{1}));
  std::string html;
  if (r.objective_name == "cut") {
    html += element("p", fmt::format("{} vertices are on one side, {} on the other.",
                                     count_text(up), count_text(spins.size() - up)));
  }
  const bool named = r.names.size() == spins.size();
  const std::string summary =
      fmt::format("{} {}, {} of them {}", count_text(spins.size()), r.bits ? "variables" : "spins",
                  count_text(up), r.bits ? "1" : "up");
  return html + folded(summary, named ? named_state(r) : plain_state(spins, r.bits),
                       spins.size() <= kFolded);
}

// ---- a model's answer --------------------------------------------------------------------------

using Variables = std::vector<std::pair<std::string, std::int64_t>>;

std::string variable_list(const Variables& variables) {
  std::string html = "<ul class=\"names\">\n";
  for (const auto& [name, value] : variables) {
    html += fmt::format("<li>{}<b>{}</b></li>\n", name_cell(name), value);
  }
  return html + "</ul>\n";
}

std::string variables(const NamedAnswer& answer) {
  Variables set, zero;
  for (const auto& variable : answer.variables) {
    (variable.second != 0 ? set : zero).push_back(variable);
  }
  for (Variables* all : {&set, &zero}) {
    std::stable_sort(all->begin(), all->end(),
                     [](const auto& a, const auto& b) { return natural_less(a.first, b.first); });
  }
  std::string html;
  if (!set.empty()) {
    html += folded(fmt::format("{} variables are not zero", count_text(set.size())),
                   variable_list(set), set.size() <= kFolded);
  }
  if (!zero.empty()) {
    std::string names;
    for (const auto& [name, value] : zero) names += escaped(name) + " ";
    html += folded(fmt::format("{} variables are zero", count_text(zero.size())),
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
                         number_text(answer.objective, 9),
                         answer.feasible ? "feasible" : "not feasible", names);
  }
  return element("h3", "Solutions") + "<div class=\"box\">" + table + "</table></div>\n";
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

std::string constraints(const ConstrainedModel& model, const NamedAnswer& answer) {
  const std::vector<ConstraintRow> rows = constraint_rows(model, answer);
  if (rows.empty()) return "";
  const auto violated = static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const ConstraintRow& row) { return row.violated; }));
  std::string table =
      "<table class=\"list\"><tr><th scope=\"col\">name</th><th scope=\"col\">value</th>"
      "<th scope=\"col\"></th><th scope=\"col\">bound</th><th scope=\"col\">slack</th></tr>\n";
  for (std::size_t k = 0; k < std::min(rows.size(), kRows); ++k) {
    const ConstraintRow& row = rows[k];
    table += fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                         row.violated ? " class=\"violated\"" : "", name_cell(row.name),
                         number_text(row.activity, 9), row.relation, number_text(row.bound, 9),
                         row.violated ? "violated by " + number_text(std::abs(row.slack), 9)
                                      : number_text(row.slack, 9));
  }
  table += "</table>";
  if (rows.size() > kRows) {
    table += element("p", fmt::format("and {} more; 'check' shows those that are violated",
                                      count_text(rows.size() - kRows)));
  }
  return element("h3", "Constraints") +
         element("p", violated == 0 ? rows.size() == 1
                                          ? std::string("It holds.")
                                          : fmt::format("All {} hold.", count_text(rows.size()))
                                    : fmt::format("{} of {} are violated.", count_text(violated),
                                                  count_text(rows.size()))) +
         folded(fmt::format("{} constraints", count_text(rows.size())), table,
                rows.size() <= 40 || violated > 0);
}

// The picture, with a caption.
std::string beside_picture(const Result& r, const Source* source, const std::string& words) {
  const Picture picture = source == nullptr ? Picture{} : picture_for(r, *source);
  if (picture.svg.empty()) return words;
  return html::figures(html::figure(picture.svg, picture.caption) + "<div>\n" + words + "</div>\n");
}

}  // namespace

std::string html_answer(const Result& r, const Source* source) {
  std::string text = element("h2", "The solution");
  if (r.best.solution.empty()) return text + element("p", "No state was recorded.");
  if (!r.best.feasible) {
    text += element(
        "p", r.copies > 1
                 ? fmt::format("This state is not feasible (g = {}); where copies of a "
                               "spin disagree the majority is shown.",
                               number_text(r.best.g))
                 : fmt::format("This state is not feasible (g = {}).", number_text(r.best.g)));
  }
  if (r.answers.empty()) return text + beside_picture(r, source, state(r)) + further_states(r);
  const NamedAnswer& answer = r.answers.front();
  text += beside_picture(r, source, variables(answer)) + solutions_table(r);
  if (source != nullptr && source->model) text += constraints(source->model->model, answer);
  return text;
}

}  // namespace chainmail
