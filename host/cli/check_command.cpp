#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/run_setup.hpp"
#include "model/answer.hpp"
#include "report/digest.hpp"
#include "report/solution.hpp"
#include "support/error.hpp"
#include "support/printable.hpp"

namespace chainmail {

namespace {

// On the model as it was read: nothing that was compiled takes part.
int check_model(const ConstrainedModel& model, const std::string& solution) {
  const Evaluation truth = evaluate(model, read_model_solution(solution, model));
  fmt::print("{:<11} {}\n", printable(model.objective_name), truth.objective);
  const std::size_t all = model.constraints.size() + model.sets.size();
  fmt::print("constraints {} hold, {} violated\n", all - std::min(all, truth.violations.size()),
             truth.violations.size());
  const std::vector<Violation> shown = worst_of(truth.violations, kShownViolations);
  for (const Violation& v : shown) {
    fmt::print("violated    {}: {} {} {} does not hold\n", printable(v.constraint), v.left,
               v.relation, v.right);
  }
  if (shown.size() < truth.violations.size()) {
    fmt::print("violated    and {} more\n", truth.violations.size() - shown.size());
  }
  fmt::print("verdict     {}\n", truth.feasible() ? "feasible" : "not feasible");
  return truth.feasible() ? kDone : kNotFeasible;
}

int check_problem(const Problem& problem, const std::string& solution) {
  const std::vector<Spin> spins = read_solution(solution, problem.size());
  const double energy = problem.objective(spins);
  const double g = problem.constraint ? (*problem.constraint)(spins) : 0.0;
  fmt::print("energy      {}\n", energy);
  if (problem.user.name != "energy") {
    fmt::print("{:<11} {}\n", printable(problem.user.name),
               problem.user.scale * energy + problem.user.shift);
  }
  if (problem.constraint) fmt::print("g           {}\n", g);
  Result judged;  // for the words of a run's verdict
  judged.best.energy = energy;
  judged.best.g = g;
  judged.best.feasible = g <= kFeasible;
  judged.known_optimum = problem.known_optimum;
  judged.scale = problem.user.scale;
  judged.shift = problem.user.shift;
  judged.constrained = problem.constraint.has_value();
  fmt::print("verdict     {}\n", judged.best.feasible ? verdict_text(judged) : "not feasible");
  return judged.best.feasible ? kDone : kNotFeasible;
}

}  // namespace

int check_command(const Arguments& arguments) {
  RunSetup setup;
  std::string solution;
  OptionTable table(
      "check FILE SOLUTION [options]",
      "Evaluates a solution on the problem as it was read, without the solver: the "
      "objective and every\nviolated constraint with its two sides. SOLUTION is a "
      "result of 'solve' (--json, --solution) or lines\n'name value'. Ends with exit code 4 "
      "when a constraint is violated.",
      "  chainmail solve model.lp --solution answer.txt\n"
      "  chainmail check model.lp answer.txt\n");
  setup.add_problem_options(table);
  table.argument("SOLUTION", solution);
  if (!table.parse(arguments)) return 0;
  setup.settle();
  const Source source = setup.read();
  return source.model ? check_model(source.model->model, solution)
                      : check_problem(source.problem(), solution);
}

}  // namespace chainmail
