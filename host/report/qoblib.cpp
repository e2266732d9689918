#include "report/qoblib.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/digest.hpp"
#include "support/compressed.hpp"
#include "support/error.hpp"
#include "support/printable.hpp"

namespace chainmail {

namespace {

using Row = std::vector<std::pair<const char*, std::string>>;  // column, cell

const std::string kNotAvailable = "N/A";

// What is submitted: a QUBO counts as a model of its bits, named x#1, x#2, ... as QOBLIB has them.
ConstrainedModel model_of(const Source& source) {
  if (source.model) return source.model->model;
  const Problem& problem = source.given();
  ConstrainedModel model = qubo_of(problem, 0.0);
  for (std::size_t v = 0; problem.names.empty() && v < model.variables.size(); ++v) {
    model.variables[v].name = fmt::format("x#{}", v + 1);
  }
  return model;
}

std::vector<NamedAnswer> answers_of(const Result& result, const ConstrainedModel& model) {
  std::vector<NamedAnswer> answers = result.answers;
  const auto add = [&](const TrialResult& found) {
    std::vector<std::int64_t> bits;
    for (Spin spin : found.solution) bits.push_back(spin > 0 ? 1 : 0);
    answers.push_back(named_answer(model, bits));
  };
  if (answers.empty()) {
    add(result.best);
    for (const TrialResult& found : result.pool) add(found);
  }
  std::erase_if(answers, [](const NamedAnswer& answer) { return !answer.feasible; });
  return answers;
}

struct Coefficients {
  std::size_t count = 0;
  bool whole = true, products = false, monomials = false;
  Decimal lowest = Decimal::infinity(), highest = -Decimal::infinity();

  void add(const Expression& e) {
    const auto each = [&](const auto& terms) {
      for (const auto& term : terms) {
        ++count;
        whole = whole && term.coefficient.whole();
        lowest = std::min(lowest, term.coefficient);
        highest = std::max(highest, term.coefficient);
      }
    };
    each(e.linear);
    each(e.products);
    each(e.monomials);
    products = products || !e.products.empty();
    monomials = monomials || !e.monomials.empty();
  }
};

void describe(const ConstrainedModel& model, Row& row) {
  Coefficients all;
  all.add(model.objective);
  for (const ModelConstraint& c : model.constraints) all.add(c.left);
  const auto variables = model.variables.size();
  const auto binaries = static_cast<std::size_t>(
      std::count_if(model.variables.begin(), model.variables.end(),
                    [](const ModelVariable& v) { return v.spin || is_binary(v); }));
  const char* degree = all.monomials ? "Polynomial" : all.products ? "Quadratic" : "Linear";
  const char* kind = binaries == variables ? "Binary" : "Integer";
  row.emplace_back("Modeling Approach",
                   !model.constrained() && binaries == variables && !all.monomials
                       ? "QUBO"
                       : fmt::format("{} {} Program", kind, degree));
  row.emplace_back("# Decision Variables", std::to_string(variables));
  row.emplace_back("# Binary Variables", std::to_string(binaries));
  row.emplace_back("# Integer Variables", std::to_string(variables - binaries));
  row.emplace_back("# Continuous Variables", "0");
  row.emplace_back("# Non-Zero Coefficients", std::to_string(all.count));
  row.emplace_back("Coefficients Type", all.whole ? "Integer" : "Continuous");
  row.emplace_back("Coefficients Range",
                   all.count == 0 ? kNotAvailable : all.lowest.text() + " - " + all.highest.text());
}

void describe_runs(const Result& r, Row& row) {
  const bool exact = r.method == "exact";
  const auto count = [&](const auto& good) {
    // The answer itself may come from before the trials.
    return std::max<std::ptrdiff_t>(
        1, std::count_if(r.per_trial.begin(), r.per_trial.end(),
                         [&](const TrialResult& t) { return t.feasible && good(t); }));
  };
  const double as_good = r.best.energy + std::max(r.rounding, r.gap_tolerance);
  row.emplace_back("Workflow",
                   fmt::format("the file's model as it is written, presolve, {}, exact evaluation "
                               "of the answer on that model",
                               exact ? "exact methods"
                                     : fmt::format("parallel tempering ({}, {} x {} replicas)",
                                                   r.method, r.ladder.rows(), r.ladder.columns())));
  row.emplace_back("Algorithm Type", exact ? "Deterministic" : "Stochastic");
  row.emplace_back("# Runs", std::to_string(r.per_trial.size()));
  row.emplace_back("# Feasible Runs", std::to_string(count([](const auto&) { return true; })));
  row.emplace_back("# Successful Runs",
                   std::to_string(count([&](const auto& t) { return t.energy <= as_good; })));
  row.emplace_back("Success Threshold", "0");
}

std::string user_name() {
  const passwd* user = ::getpwuid(::getuid());
  if (user == nullptr) return kNotAvailable;
  const std::string name = user->pw_gecos == nullptr ? "" : user->pw_gecos;
  const std::string full = name.substr(0, name.find(','));
  return printable(full.empty() ? user->pw_name : full);
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "a processor of unknown name";
}

// A mean over the runs, which share what came before them.
void describe_time(const Result& r, double all_seconds, Row& row) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  const auto runs = static_cast<double>(r.per_trial.size());
  const double cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  row.emplace_back("Hardware Specifications", processor() + "; " + r.device);
  row.emplace_back("Total Runtime", fmt::format("{:.6f}", all_seconds / runs));
  row.emplace_back("CPU Runtime", fmt::format("{:.6f}", cpu / runs));
  for (const char* other : {"GPU Runtime", "QPU Runtime", "Other HW Runtime"}) {
    row.emplace_back(other, kNotAvailable);
  }
}

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string table_of(const Row& row) {
  std::string header, cells;
  for (const auto& [column, text] : row) {
    header += (header.empty() ? "" : ",") + std::string(column);
    cells += (cells.empty() ? "" : ",") + cell(text);
  }
  return header + "\n" + cells + "\n";
}

// The trials' course together, as one run.
std::string over_time(const Result& r) {
  nlohmann::ordered_json run = nlohmann::ordered_json::array();
  for (const auto& [seconds, f] : r.course) {
    run.push_back({{"Time", seconds}, {"Incumbent", in_users_terms(f, r)}});
  }
  return nlohmann::ordered_json::array({run}).dump() + "\n";
}

}  // namespace

std::string qoblib_instance(const std::string& file) {
  return std::filesystem::path(without_compression(file)).stem().string();
}

void expect_qoblib(const Source& source) {
  if (source.model || (source.given().bits() && !source.given().constraint)) return;
  throw UsageError("--qoblib is for models and QUBOs, as QOBLIB has them, not for spins");
}

std::vector<std::pair<std::string, std::string>> to_qoblib(const Result& result,
                                                           const Source& source,
                                                           const Submission& submission) {
  const std::string& instance = submission.instance;
  const ConstrainedModel model = model_of(source);
  const std::vector<NamedAnswer> answers = answers_of(result, model);
  const NamedAnswer& best = answers.front();
  Row row = {
      {"Problem", instance},
      {"Submitter", user_name()},
      {"Date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))},
      {"Reference", "Chainmail " CHAINMAIL_VERSION ": " + submission.command_line},
      {"Best Objective Value", best.exact ? best.exact->text() : fmt::format("{}", best.objective)},
      {"Optimality Bound",
       result.bound ? fmt::format("{}", in_users_terms(*result.bound, result)) : kNotAvailable}};
  describe(model, row);
  describe_runs(result, row);
  // A resumed run took longer than this command.
  describe_time(result, std::max(submission.seconds, result.tune_seconds + result.seconds), row);
  row.emplace_back("Remarks",
                   fmt::format("{}; stopped by: {}", verdict_text(result), result.stopped_by));

  std::vector<std::pair<std::string, std::string>> files = {
      {instance + "_summary.csv", table_of(row)},
      {instance + "_objective_time_series.json", over_time(result)}};
  for (std::size_t k = 0; k < answers.size(); ++k) {
    files.emplace_back(answers.size() == 1
                           ? instance + "_solution.sol"
                           : fmt::format("solutions/{}_solution_{}.sol", instance, k),
                       solution_to_text(answers[k], false));
  }
  return files;
}

}  // namespace chainmail
