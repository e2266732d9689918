// A second opinion: host/check has its own readers and sums. The solver's reader only reads the
// file first, since its errors name the line.
#include <fmt/format.h>

#include <algorithm>

#include "check/model.hpp"
#include "check/proof.hpp"
#include "check/spins.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/run_setup.hpp"
#include "model/answer.hpp"
#include "model/model_files.hpp"
#include "report/digest.hpp"
#include "report/solution.hpp"
#include "run/certify.hpp"
#include "support/atomic_file.hpp"
#include "support/compressed.hpp"
#include "support/error.hpp"
#include "support/printable.hpp"

namespace chainmail {

namespace {

checker::Model second_reading(const ModelSource& source) {
  const std::optional<checker::Model> own = read_again(source);
  checker::Model model = own ? *own : checker::read("lp", to_lp(source.model), source.file);
  if (model.variables.size() != source.model.variables.size()) {
    throw InputError(source.file + ": solver and checker read its variables differently");
  }
  return model;
}

int check_model(const ModelSource& source, const std::string& solution) {
  const checker::Model model = second_reading(source);
  const std::vector<std::int64_t> read = read_model_solution(solution, source.model);
  std::map<std::string, std::int64_t> by_name;
  for (std::size_t v = 0; v < read.size(); ++v) by_name[source.model.variables[v].name] = read[v];
  std::vector<checker::Integer> values;
  for (const checker::Variable& v : model.variables) values.emplace_back(by_name.at(v.name));
  checker::Judgement truth = checker::judge(model, values);
  fmt::print("{:<11} {}\n", printable(model.objective_name), checker::text_of(truth.objective));
  const std::size_t all = model.rows.size() + model.sets.size(), violated = truth.broken.size();
  fmt::print("constraints {} hold, {} violated\n", all - std::min(all, violated), violated);
  const auto missed = [](const checker::Broken& b) {
    return checker::Rational(abs(b.left - b.right));
  };
  std::stable_sort(truth.broken.begin(), truth.broken.end(),
                   [&](const auto& a, const auto& b) { return missed(a) > missed(b); });
  for (std::size_t k = 0; k < std::min(violated, kShownViolations); ++k) {
    const checker::Broken& b = truth.broken[k];
    fmt::print("violated    {}: {} {} {} does not hold\n", printable(b.name),
               checker::text_of(b.left), b.relation, checker::text_of(b.right));
  }
  if (violated > kShownViolations) {
    fmt::print("violated    and {} more\n", violated - kShownViolations);
  }
  fmt::print("verdict     {}\n", violated == 0 ? "feasible" : "not feasible");
  return violated == 0 ? kDone : kNotFeasible;
}

int check_proof(const ModelSource& source, const std::string& file) {
  const checker::Proof proof = checker::read_proof(read_file(file), file);
  const std::string fault = checker::refuted(second_reading(source), proof);
  fmt::print("claim       {}\n", proof.optimal ? "the answer is optimal" : "no solution exists");
  fmt::print("steps       {}\n", proof.steps.size());
  fmt::print("verdict     {}\n", fault.empty() ? "proved" : "not proved: " + printable(fault));
  return fault.empty() ? kDone : kNotFeasible;
}

int check_problem(const Problem& problem, const std::string& file, const std::string& solution) {
  const std::vector<Spin> spins = read_solution(solution, problem.size());
  Result judged;  // for the words of a run's verdict
  judged.known_optimum = problem.known_optimum;
  const std::string text = read_text(file);
  if (checker::is_problem(text)) {
    const auto own = checker::judge_spins(text, file, {spins.begin(), spins.end()});
    judged.best.energy = own.energy;
    judged.best.g = own.g;
    judged.best.feasible = own.feasible;
    judged.gap_tolerance = own.tolerance;
    if (own.gap) judged.known_optimum = own.energy - *own.gap;
  } else {
    judged.best.energy = problem.objective(spins);
    judged.best.feasible = true;  // no other format has constraints
  }
  judged.scale = problem.user.scale;
  judged.shift = problem.user.shift;
  judged.constrained = problem.constraint.has_value();
  fmt::print("energy      {}\n", judged.best.energy);
  if (problem.user.name != "energy") {
    fmt::print("{:<11} {}\n", printable(problem.user.name),
               in_users_terms(judged.best.energy, judged));
  }
  if (problem.constraint) fmt::print("g           {}\n", judged.best.g);
  fmt::print("verdict     {}\n", judged.best.feasible ? verdict_text(judged) : "not feasible");
  return judged.best.feasible ? kDone : kNotFeasible;
}

}  // namespace

int check_command(const Arguments& arguments) {
  RunSetup setup;
  std::string solution, proof;
  OptionTable table(
      "check FILE [SOLUTION] [options]",
      "Evaluates a solution without the solver, with its own readers and rational numbers:\n"
      "the objective, and every violated constraint with both sides. SOLUTION is a result of\n"
      "'solve' (--json, --solution) or lines 'name value'. --proof verifies what 'solve --proof'\n"
      "wrote, step by step. Ends with exit code 4 when a constraint is violated or a step does\n"
      "not follow.",
      "  chainmail solve model.lp --solution answer.txt --proof proof.json\n"
      "  chainmail check model.lp answer.txt\n"
      "  chainmail check model.lp --proof proof.json\n");
  setup.add_problem_options(table);
  table.argument("SOLUTION", solution, false);
  table.group("Proof").file("proof", proof, "verify this proof instead of a solution");
  if (!table.parse(arguments)) return 0;
  setup.settle();
  if (solution.empty() == proof.empty()) {
    throw UsageError("check: expected either a solution or --proof");
  }
  const Source source = setup.read();
  if (!proof.empty()) {
    if (!source.model) throw UsageError("--proof: only models have proofs");
    return check_proof(*source.model, proof);
  }
  return source.model ? check_model(*source.model, solution)
                      : check_problem(source.problem(), setup.file, solution);
}

}  // namespace chainmail
