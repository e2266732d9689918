// The window of a ladder: placed where a pilot's mean g says, cheap, feasible where the answer is
// read, and held so while the run goes on; the literal ladder is the paper's.
#include "solve/ladder.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "../temporary_folder.hpp"
#include "generate/generate.hpp"
#include "report/json.hpp"
#include "schedule/population.hpp"
#include "solve/feasibility_watch.hpp"
#include "solve/solver.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

const std::atomic<bool> kNeverStop{false};

Problem wishart(std::size_t n, std::uint64_t seed) {
  GenerateOptions options;
  options.n = n;
  options.seed = seed;
  return generate("wishart", options);
}

// Mean g of the coldest row falls by e for every 0.1 of P: 8.15 at P = 0.79, then 3, 1.1, ...
Schedule exponential_pilot() {
  Schedule pilot;
  pilot.beta = {1.0, 2.0, 4.0};
  for (int j = 0; j < 9; ++j) pilot.penalty.push_back(0.79 + 0.1 * j);
  for (double scale : {30.0, 10.0, 3.0}) {
    pilot.mean_g.emplace_back();
    for (double p : pilot.penalty)
      pilot.mean_g.back().push_back(scale * std::exp(-10 * (p - 0.89)));
  }
  pilot.replica_sweeps = 123;
  return pilot;
}

}  // namespace

TEST_CASE("a window lies between two values of the coldest row's mean g") {
  WindowOptions options;
  options.columns = 5;
  const Schedule window = window_of(exponential_pilot(), 3.0, options);
  const double loose = 0.89, tight = 0.89 + 0.1 * std::log(10.0);
  REQUIRE(window.columns() == 5);
  for (std::size_t j = 0; j < 4; ++j) {
    CHECK(window.penalty[j] == Approx(loose + (tight - loose) * static_cast<double>(j) / 3.0));
  }
  CHECK(window.penalty.back() == Approx(1.2 * (0.89 + 0.1 * std::log(150.0))));
  CHECK(window.beta == std::vector<double>{1.0, 2.0});
  CHECK(window.answer_beta == 4.0);
  CHECK(window.replica_sweeps == 123);
}

TEST_CASE("rigid chains have the rows of the problem without copies, and solve it as fast") {
  DeviceOptions whole;
  whole.threads = 1;
  whole.moves = "chain";
  const auto device = make_device(whole);
  const Problem problem = wishart(40, 31);
  const Embedding embedding = embed(problem, 3, Placement::packed);
  LadderOptions options;
  options.kind = LadderKind::rigid;
  const Schedule rigid = find_ladder(embedding, *device, options, kNeverStop);
  const Schedule dense =
      find_ladder(embed(problem, 1, Placement::packed), *device, options, kNeverStop);
  CHECK(rigid.beta.front() == Approx(dense.beta.front()).epsilon(0.4));
  CHECK(rigid.beta.back() == Approx(dense.beta.back()).epsilon(0.5));
  CHECK(rigid.columns() == 240 / rigid.rows());
  // A broken link weighs less than exp(-9) even in the hottest row of the first column.
  CHECK(2.0 * rigid.beta.front() * rigid.penalty.front() > 9.0);
  options.rigid_columns = 7;
  CHECK(find_ladder(embedding, *device, options, kNeverStop).columns() == 7);

  SolveOptions run;
  run.sweeps = 1000;
  run.target = problem.known_optimum;
  const Result result = solve(problem, embedding, rigid, *device, run, kNeverStop);
  CHECK(result.stopped_by == "target");
  CHECK(result.best.feasible);
}

TEST_CASE("a window is found for less than a tenth of the paper's pilot and holds the answer") {
  const auto device = make_device({"cpu", 1, "auto"});
  for (std::uint64_t seed : {31, 32, 33}) {
    const Problem problem = wishart(30, seed);
    const Embedding embedding = embed(problem, 3, Placement::packed);
    LadderOptions options;
    options.pilot.seed = seed;
    const Schedule window = find_ladder(embedding, *device, options, kNeverStop);
    options.kind = LadderKind::paper;
    const Schedule paper = find_ladder(embedding, *device, options, kNeverStop);
    CHECK(paper.beta == rehearse(embedding, run_pilot(embedding.model, *device, options.pilot),
                                 *device, options.rehearsal, kNeverStop)
                            .beta);
    CHECK(10 * window.replica_sweeps < paper.replica_sweeps);
    CHECK(window.columns() == options.window.columns);
    CHECK(window.penalty.front() > paper.penalty.front());

    SolveOptions run;
    run.sweeps = 5000;
    run.hold_feasible = true;
    run.seed = seed;
    const Result result = solve(problem, embedding, window, *device, run, kNeverStop);
    CHECK(result.best.feasible);
    // The first per cent of the rounds relaxes from random states.
    CHECK(result.answer_feasible_rate > 0.98);
    CHECK(result.pilot_sweeps * window.rows() * window.columns() >= window.replica_sweeps);
    CHECK((result.pilot_sweeps - 1) * window.rows() * window.columns() < window.replica_sweeps);
  }
}

TEST_CASE("without copies the window is the paper's ladder without rows that are too hot") {
  const auto device = make_device({"cpu", 1, "auto"});
  const Embedding embedding = embed(wishart(100, 34), 1);
  LadderOptions options;
  const Schedule window = find_ladder(embedding, *device, options, kNeverStop);
  options.kind = LadderKind::paper;
  const Schedule paper = find_ladder(embedding, *device, options, kNeverStop);
  CHECK(window.rows() >= 3);
  CHECK(2 * window.rows() <= paper.rows());
  CHECK(window.beta.front() > 3.0 * paper.beta.front());
  CHECK(window.beta.back() == Approx(paper.beta.back()).epsilon(0.3));
  CHECK(window.mean_f.size() == (window.mean_f.empty() ? 0 : window.rows()));

  // Its first row forgets, its last does not.
  const auto memory_at = [&](double beta) {
    Population population(*device, 16, 5);
    population.load(embedding.model, beta, beta, 0.0);
    population.randomise(embedding.pbits(), [](std::size_t chain) { return 77 + chain; });
    population.measure(beta, 0.0, 300, 2);
    return population.memory(beta, 0.0, 20, 10);
  };
  CHECK(memory_at(window.beta[0]) < 0.3);
  CHECK(memory_at(window.beta.back()) > 0.5);
  CHECK_THROWS_AS(ladder_kind_from_name("rope"), UsageError);
}

TEST_CASE("memory is 0 where states are new or all alike, 1 where nothing moves") {
  const auto device = make_device({"cpu", 1, "float"});
  const std::size_t n = 64, chains = 16, looks = 5;
  Problem glass = wishart(n, 36);
  const auto memory_at = [&](const Problem& problem, double beta) {
    const Embedding embedding = embed(problem, 1);
    Population population(*device, chains, 6);
    population.load(embedding.model, beta, beta, 0.0);
    population.randomise(n, [](std::size_t chain) { return 99 + chain; });
    population.measure(beta, 0.0, 500, 2);
    return population.memory(beta, 0.0, 20, looks);
  };
  // Overlaps of independent states: variance 1 / (n chains) with oneself, 2 / (n chains (chains -
  // 1)) between chains.
  const double of_self = 1.0 / (n * chains), of_others = 2.0 / (n * chains * (chains - 1));
  const double sigma = std::sqrt((of_self + of_others) / looks);
  CHECK(std::abs(memory_at(glass, 1e-6)) < 5.0 * sigma);
  CHECK(memory_at(glass, 1e3) > 0.85);
  Problem field = glass;
  for (Coupling& c : field.objective.couplings) c.value = 0.0;
  for (double& h : field.objective.fields) h = 1.0;
  CHECK(std::abs(memory_at(field, 20.0)) < 1e-9);
}

TEST_CASE("the watch raises a penalty that leaves the answer infeasible, ever more rarely") {
  FeasibilityWatch watch;
  std::vector<std::uint64_t> raised;
  for (std::uint64_t sweep = 5; sweep <= 100000; sweep += 5) {
    if (watch.raise(sweep, sweep % 250 != 0)) raised.push_back(sweep);  // 98 % feasible
  }
  CHECK(raised == std::vector<std::uint64_t>{1000, 2000, 4000});
  CHECK(watch.factor() == Approx(1.331));
  FeasibilityWatch content;
  for (std::uint64_t sweep = 5; sweep <= 100000; sweep += 5) {
    REQUIRE_FALSE(content.raise(sweep, sweep < 400 || sweep % 1000 != 0));  // 99.5 %
  }
}

TEST_CASE("a ladder that is too short is stretched in the run, and the run can be resumed") {
  const Problem problem = wishart(20, 35);
  const Embedding embedding = embed(problem, 3, Placement::packed);
  Schedule schedule;
  schedule.beta = {1.5, 2.0, 2.7, 3.6};
  schedule.penalty = {0.9, 1.0, 1.1};
  SolveOptions options;
  options.sweeps = 8000;
  const auto run = [&](const std::atomic<bool>& stop, const SolveObserver& observer = {}) {
    const auto device = make_device({"cpu", 1, "auto"});
    return solve(problem, embedding, schedule, *device, options, stop, observer);
  };
  const Result loose = run(kNeverStop);
  CHECK(loose.answer_feasible_rate < 0.9);
  options.hold_feasible = true;
  const Result held = run(kNeverStop);
  CHECK(held.answer_feasible_rate > loose.answer_feasible_rate + 0.05);
  REQUIRE_FALSE(held.schedule.notes.empty());
  CHECK(held.schedule.notes.back().find("raised by 33 %") != std::string::npos);

  TemporaryFolder folder;
  options.checkpoint = folder.file("run.checkpoint");
  std::atomic<bool> stop{false};
  const Result part = run(stop, [&](const SolveStatus& s) { stop = s.sweeps_done >= 3000; });
  CHECK(part.stopped_by == "interrupt");
  CHECK(to_json_without_timings(run(kNeverStop)) == to_json_without_timings(held));
}
