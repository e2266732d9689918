#include "report/competition.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "support/error.hpp"

namespace chainmail {

namespace {

using Values = std::vector<std::int64_t>;

constexpr std::size_t kLongestLine = 4096;  // of values (SAT competition)

Values values_of(const NamedAnswer& answer) {
  Values values;
  for (const auto& [name, value] : answer.variables) values.push_back(value);
  return values;
}

// A weighted constraint is missed only where it does not hold.
void settle_missed(const ConstrainedModel& model, Values& values) {
  for (const ModelConstraint& c : model.constraints) {
    if (!c.when) continue;
    const Decimal left = c.left.exactly(values);
    const bool holds = left >= c.lower && left <= c.upper;
    values[c.when->variable] = holds == c.when->value ? 1 : 0;
  }
}

std::string literals(const ConstrainedModel& model, const Values& values, std::size_t skipped,
                     const char* end) {
  std::string lines, line = "v";
  const auto add = [&](const std::string& word) {
    if (line.size() + 1 + word.size() > kLongestLine) {
      lines += line + "\n";
      line = "v";
    }
    line += " " + word;
  };
  for (std::size_t v = 0; v < values.size(); ++v) {
    const std::string& name = model.variables[v].name;
    if (!name.starts_with('x')) continue;  // missed_c3
    add((values[v] != 0 ? "" : "-") + name.substr(skipped));
  }
  if (*end != '\0') add(end);
  return lines + line + "\n";
}

std::string bits(const Values& values) {
  std::string line = "v ";
  for (std::int64_t value : values) line += value != 0 ? '1' : '0';
  return line + "\n";
}

// `x = 3;` or `a = array1d(1..2, [4, 5]);`
std::string shown(const ConstrainedModel& model, const Values& values) {
  std::string text;
  for (const ModelOutput& output : model.outputs) {
    std::string list;
    for (const ModelOutput::Value& v : output.values) {
      const std::int64_t value = v.variable ? values[*v.variable] : v.number;
      list += list.empty() ? "" : ", ";
      list += output.truth ? (value != 0 ? "true" : "false") : std::to_string(value);
    }
    text += output.name + " = ";
    text += output.shape.empty() ? list : fmt::format("{}, [{}])", output.shape, list);
    text += ";\n";
  }
  return text;
}

}  // namespace

CompetitionLines::CompetitionLines(const Source& source)
    : model_(source.model ? source.model->model
                          : throw UsageError("--competition: expected a constrained model")) {
  static const std::map<std::string, Dialect> kDialects = {{"opb", Dialect::pseudo_boolean},
                                                           {"wbo", Dialect::pseudo_boolean},
                                                           {"cnf", Dialect::clauses},
                                                           {"wcnf", Dialect::weighted_clauses},
                                                           {"fzn", Dialect::flatzinc}};
  const std::string& format = source.model->format;
  const auto found = kDialects.find(format);
  if (found == kDialects.end()) {
    throw UsageError("--competition: expected a file of a competition: opb, wbo, cnf, wcnf, fzn");
  }
  dialect_ = found->second;
  decision_ = model_.no_objective() && format != "wbo" && format != "wcnf";
}

std::string CompetitionLines::cost_line(const std::string& cost) {
  if (decision_ || dialect_ == Dialect::flatzinc || cost == last_cost_) return "";
  last_cost_ = cost;
  return "o " + cost + "\n";
}

std::string CompetitionLines::better(double objective) {
  const double f = model_.sense == Sense::maximise ? -objective : objective;
  if (best_ && f >= *best_) return "";
  best_ = f;
  return cost_line(std::to_string(std::llround(objective)));
}

CompetitionLines::Status CompetitionLines::status(const Result& result) const {
  if (!result.infeasible.empty()) return Status::unsatisfiable;
  if (result.answers.empty() || !result.answers.front().feasible) return Status::unknown;
  const bool nothing_better = result.proved || model_.no_objective();
  return nothing_better && !decision_ ? Status::optimum : Status::satisfiable;
}

int CompetitionLines::exit_code(const Result& result) const {
  return dialect_ == Dialect::flatzinc ? 0 : static_cast<int>(status(result));
}

std::string CompetitionLines::verdict(const Result& result) {
  const Status found = status(result);
  const bool flatzinc = dialect_ == Dialect::flatzinc;
  if (found == Status::unknown) return flatzinc ? "=====UNKNOWN=====\n" : "s UNKNOWN\n";
  if (found == Status::unsatisfiable) {
    return flatzinc ? "=====UNSATISFIABLE=====\n" : "s UNSATISFIABLE\n";
  }
  Values values = values_of(result.answers.front());
  if (flatzinc) {
    return shown(model_, values) + "----------\n" +
           (found == Status::optimum ? "==========\n" : "");
  }
  settle_missed(model_, values);
  const NamedAnswer answer = named_answer(model_, values);
  const std::string cost = answer.exact ? answer.exact->text() : "";
  std::string text = cost_line(cost);
  text += found == Status::optimum ? "s OPTIMUM FOUND\n" : "s SATISFIABLE\n";
  if (dialect_ == Dialect::weighted_clauses) return text + bits(values);
  return text + (dialect_ == Dialect::clauses ? literals(model_, values, 1, "0")
                                              : literals(model_, values, 0, ""));
}

}  // namespace chainmail
