// The QUBO that is written for other solvers has the model's optimum as its own.
#include <catch2/catch.hpp>

#include "model/model_files.hpp"
#include "random_model.hpp"
#include "squares/squares.hpp"

using namespace chainmail;

TEST_CASE("the lowest state of the QUBO is the model's optimum") {
  Engine engine(21);
  int checked = 0;
  while (checked < 40) {
    const ConstrainedModel model = random_model(engine, 6);
    const SquaredModel compiled = squared(model);
    const std::size_t n = compiled.problem.size();
    if (n > 13) continue;
    const double sign = model.sense == Sense::minimise ? 1.0 : -1.0;
    double best = kUnbounded;
    for_all_values(model, [&](const std::vector<std::int64_t>& values) {
      const Evaluation e = evaluate(model, values);
      if (e.feasible()) best = std::min(best, sign * e.objective);
    });
    if (best == kUnbounded) continue;
    const std::string text = to_lp(qubo_of(compiled.problem, safe_penalty(compiled)));
    const ConstrainedModel qubo = parse_model(text, "qubo.lp", ModelFormat::lp);
    REQUIRE(qubo.variables.size() == n);
    double lowest = kUnbounded;
    for_all_values(qubo, [&](const std::vector<std::int64_t>& bits) {
      lowest = std::min(lowest, qubo.objective(bits));
    });
    REQUIRE(lowest == Approx(best).margin(1e-6));
    ++checked;
  }
}
