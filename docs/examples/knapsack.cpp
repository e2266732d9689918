// A quadratic knapsack through the library: solve it, look at an answer that breaks a constraint,
// and draw samples.
//   g++ -std=c++20 knapsack.cpp $(pkg-config --cflags --libs chainmail) -o knapsack
#include <chainmail/chainmail.hpp>
#include <cstdio>

int main() {
  chainmail::Model model;  // maximise 5 a + 4 b + 3 c + 2 a c subject to 2 a + 3 b + c <= 4
  const auto a = model.add_binary("a");
  const auto b = model.add_binary("b");
  const auto c = model.add_binary("c");
  model.set_sense(chainmail::Model::maximise);
  model.add_linear(a, 5), model.add_linear(b, 4), model.add_linear(c, 3);
  model.add_quadratic(a, c, 2);
  model.add_constraint("capacity", {{a, 2}, {b, 3}, {c, 1}}, -chainmail::kInfinity, 4);

  const chainmail::Solution found = chainmail::solve(model, {.sweeps = 1000});
  std::printf("best %g:", found.best.objective);  // best 10: a c
  for (std::size_t v = 0; v < model.size(); ++v)
    if (found.best.values[v] != 0) std::printf(" %s", model.name(v).c_str());
  std::printf("\n");

  const std::int64_t all[] = {1, 1, 1};
  for (const chainmail::Violated& v : chainmail::evaluate(model, all).violations)
    std::printf("all of them: %s %g %s %g\n", v.constraint.c_str(), v.left, v.relation.c_str(),
                v.right);

  double objective = 0, g = 0;
  const auto samples =
      chainmail::sample(model, {.betas = {0.5}, .penalties = {4.0}, .samples = 2000});
  for (const chainmail::Sample& s : samples) objective += s.objective, g += s.g;
  const auto count = static_cast<double>(samples.size());
  std::printf("sampled: mean objective %.1f, mean g %.2f\n", objective / count, g / count);
  return found.best.feasible ? 0 : 1;
}
