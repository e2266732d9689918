// The paper's workload, small enough for every day: planted Wishart problems through three copies
// with the literal algorithm must do as published.
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "generate/generate.hpp"
#include "ladder/pilot.hpp"
#include "ladder/rehearsal.hpp"
#include "solve/solver.hpp"

using namespace chainmail;

TEST_CASE("Wishart N = 40, three copies, 102,400 sweeps: the published residual") {
  constexpr std::size_t kInstances = 20;
  // Delacour et al., data of their Fig. 3: 2D-PT, N = 40, t = 102,400.
  constexpr double kPublished = 0.0225;
  std::vector<double> residual, answer, beta_acceptance, penalty_acceptance;
  double lowest_pair = 1.0;
  for (std::uint64_t seed = 1; seed <= kInstances; ++seed) {
    GenerateOptions options;
    options.n = 40;
    options.seed = seed;
    const Problem problem = generate("wishart", options);
    const Embedding embedding = embed(problem, 3, Placement::packed);
    const auto device = make_device({"cpu", 0, "auto"});
    const std::atomic<bool> stop{false};
    const Ladder ladder =
        rehearse(embedding, run_pilot(embedding.model, *device, {}), *device, {}, stop);
    SolveOptions solve_options;
    solve_options.sweeps = 102400;
    solve_options.sweeps_per_swap = kPaper.sweeps_per_swap;
    solve_options.swap_sets = kPaper.sets;
    const Result result = solve(problem, embedding, ladder, *device, solve_options, stop);
    residual.push_back(*result.residual_per_spin);
    answer.push_back((result.mean_answer_energy - *problem.known_optimum) / 40.0);
    CHECK(result.best.feasible);
    CHECK(result.answer_feasible_rate > 0.97);
    for (const auto& [table, all] : {std::pair{&result.acceptance_beta, &beta_acceptance},
                                     std::pair{&result.acceptance_penalty, &penalty_acceptance}}) {
      for (const auto& row : *table) all->insert(all->end(), row.begin(), row.end());
    }
  }
  const auto mean = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  for (const std::vector<double>* all : {&beta_acceptance, &penalty_acceptance}) {
    lowest_pair = std::min(lowest_pair, *std::min_element(all->begin(), all->end()));
    CHECK(mean(*all) > 0.40);
    CHECK(mean(*all) < 0.60);
  }
  INFO("residual " << mean(residual) << ", acceptance " << mean(beta_acceptance) << " and "
                   << mean(penalty_acceptance) << ", weakest pair " << lowest_pair);
  CHECK(lowest_pair > 0.05);
  // Like for like: the published residual is the answer replica's at the end; the best state of all
  // replicas is lower.
  double squares = 0.0;
  for (double value : answer) squares += (value - mean(answer)) * (value - mean(answer));
  const double error = std::sqrt(squares / (kInstances * (kInstances - 1)));
  INFO("answer replica " << mean(answer) << " +- " << error);
  CHECK(std::abs(mean(answer) - kPublished) < 3.0 * error);
  CHECK(mean(residual) < 0.6 * kPublished);
}
