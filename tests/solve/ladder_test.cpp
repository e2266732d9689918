// The window of a ladder: placed by mean g, cheap, feasible where the answer is read, and kept so
// during the run; the literal ladder is the paper's.
#include "ladder/choose.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "../temporary_folder.hpp"
#include "generate/generate.hpp"
#include "grid/population.hpp"
#include "report/json.hpp"
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

// Mean g of the coldest row of a window's column over a run of its own.
double mean_g(const Embedding& embedding, const Ladder& window, Device& device,
              std::size_t column) {
  SampleOptions run;
  run.rounds = 60;
  run.warmup_rounds = 20;
  run.sweeps_per_swap = 5;
  run.swap_sets = SwapSets::all;
  run.seed = 99;
  double sum = 0.0;
  sample(embedding, window, device, run, kNeverStop, [&](const SampleRound& round) {
    sum += round.burst.g[round.grid.replica_at(window.rows() - 1, column)];
  });
  return sum / static_cast<double>(run.rounds);
}

}  // namespace

TEST_CASE("a penalty is read off where ln g falls linearly") {
  Probe probe;
  for (int j = 0; j < 9; ++j) {
    probe.penalty.push_back(0.79 + 0.1 * j);
    probe.mean_g.push_back(3.0 * std::exp(-10 * (probe.penalty.back() - 0.89)));
  }
  probe.mean_g[0] = 20.0;  // beyond the fit's range: chains whose copies disagree
  REQUIRE(penalty_at(probe, 1.0, 0.05, 9.0));
  CHECK(*penalty_at(probe, 1.0, 0.05, 9.0) == Approx(0.89 + 0.1 * std::log(3.0)));
  CHECK(*penalty_at(probe, 0.02, 0.05, 9.0) == Approx(0.89 + 0.1 * std::log(150.0)));
  CHECK_FALSE(penalty_at(probe, 1.0, 2.0, 9.0));  // one column is no line
  std::reverse(probe.mean_g.begin(), probe.mean_g.end());
  CHECK_FALSE(penalty_at(probe, 1.0, 0.05, 9.0));
}

TEST_CASE("a window lies where mean g says, wherever the search for it begins") {
  const auto device = make_device({"cpu", 1, "auto"});
  const Embedding embedding = embed(wishart(60, 36), 3, Placement::packed);
  const double root = std::sqrt(120.0);  // links
  WindowOptions options;
  const Ladder window = find_window(embedding, *device, options, kNeverStop);
  REQUIRE(window.columns() == options.columns);
  CHECK(window.rows() == 3);
  CHECK(window.answer_beta == Approx(2.0 * window.beta.back()));
  CHECK(window.replica_sweeps == options.sweeps * 3 * options.probes);
  // The mean of 60 rounds of one replica; g varies by about its root, rounds are correlated.
  CHECK(mean_g(embedding, window, *device, 0) == Approx(options.loose_g * root).epsilon(0.4));
  CHECK(mean_g(embedding, window, *device, 34) == Approx(options.tight_g * root).epsilon(0.5));
  for (double far : {0.25, 4.0}) {
    WindowOptions other = options;
    other.penalty0 = far * window.penalty.front();
    const Ladder found = find_window(embedding, *device, other, kNeverStop);
    CHECK(found.replica_sweeps > window.replica_sweeps);
    CHECK(found.penalty.front() == Approx(window.penalty.front()).epsilon(0.1));
    CHECK(found.penalty[34] == Approx(window.penalty[34]).epsilon(0.1));
  }
}

TEST_CASE("larger problems get more rows, within the limit") {
  const auto device = make_device({"cpu", 1, "auto"});
  WindowOptions options;
  options.sweeps = 20;
  CHECK(find_window(embed(wishart(200, 37), 3), *device, options, kNeverStop).rows() == 4);
  options.max_rows = 2;
  options.columns = 5;
  const Ladder small = find_window(embed(wishart(20, 37), 3), *device, options, kNeverStop);
  CHECK(small.rows() == 2);
  CHECK(small.columns() == 5);
  options = {};
  options.max_replicas = 16;  // of an iCE40 board
  const Ladder board = find_window(embed(wishart(5, 37), 2), *device, options, kNeverStop);
  CHECK(board.rows() == 3);
  CHECK(board.columns() == 5);
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
  const Ladder rigid = choose_ladder(embedding, *device, options, kNeverStop);
  const Ladder dense =
      choose_ladder(embed(problem, 1, Placement::packed), *device, options, kNeverStop);
  CHECK(rigid.beta.front() == Approx(dense.beta.front()).epsilon(0.4));
  CHECK(rigid.beta.back() == Approx(dense.beta.back()).epsilon(0.5));
  CHECK(rigid.columns() == 240 / rigid.rows());
  // A broken link weighs less than exp(-9) even in the hottest row of the first column.
  CHECK(2.0 * rigid.beta.front() * rigid.penalty.front() > 9.0);
  options.rigid_columns = 7;
  CHECK(choose_ladder(embedding, *device, options, kNeverStop).columns() == 7);

  SolveOptions run;
  run.sweeps = 1000;
  run.target = problem.known_optimum;
  const Result result = solve(problem, embedding, rigid, *device, run, kNeverStop);
  CHECK(result.stopped_by == "target");
  CHECK(result.best.feasible);
}

TEST_CASE("a window is found for less than a fiftieth of the paper's pilot and holds the answer") {
  const auto device = make_device({"cpu", 1, "auto"});
  for (std::uint64_t seed : {31, 32, 33}) {
    const Problem problem = wishart(30, seed);
    const Embedding embedding = embed(problem, 3, Placement::packed);
    LadderOptions options;
    options.pilot.seed = options.window.seed = seed;
    const Ladder window = choose_ladder(embedding, *device, options, kNeverStop);
    options.kind = LadderKind::paper;
    const Ladder paper = choose_ladder(embedding, *device, options, kNeverStop);
    CHECK(paper.beta == rehearse(embedding, run_pilot(embedding.model, *device, options.pilot),
                                 *device, options.rehearsal, kNeverStop)
                            .beta);
    CHECK(50 * window.replica_sweeps < paper.replica_sweeps);
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
  const Ladder window = choose_ladder(embedding, *device, options, kNeverStop);
  options.kind = LadderKind::paper;
  const Ladder paper = choose_ladder(embedding, *device, options, kNeverStop);
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
  Ladder ladder;
  ladder.beta = {1.5, 2.0, 2.7, 3.6};
  ladder.penalty = {0.9, 1.0, 1.1};
  SolveOptions options;
  options.sweeps = 8000;
  const auto run = [&](const std::atomic<bool>& stop, const SolveObserver& observer = {}) {
    const auto device = make_device({"cpu", 1, "auto"});
    return solve(problem, embedding, ladder, *device, options, stop, observer);
  };
  const Result loose = run(kNeverStop);
  CHECK(loose.answer_feasible_rate < 0.9);
  options.hold_feasible = true;
  const Result held = run(kNeverStop);
  CHECK(held.answer_feasible_rate > loose.answer_feasible_rate + 0.05);
  REQUIRE_FALSE(held.ladder.notes.empty());
  CHECK(held.ladder.notes.back().find("raised by 33 %") != std::string::npos);

  TemporaryFolder folder;
  options.checkpoint = folder.file("run.checkpoint");
  std::atomic<bool> stop{false};
  const Result part = run(stop, [&](const SolveStatus& s) { stop = s.sweeps_done >= 3000; });
  CHECK(part.stopped_by == "interrupt");
  CHECK(to_json_without_timings(run(kNeverStop)) == to_json_without_timings(held));
}

TEST_CASE("a ladder made of another keeps all but what is replaced and what was measured on it") {
  Ladder full;
  full.beta = {1.0, 2.0};
  full.penalty = {3.0, 4.0, 5.0};
  full.answer_beta = 7.0;
  full.multipliers = {0.25, -0.5};
  full.mean_f = full.sigma_f = full.mean_g = full.sigma_g = {{1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}};
  full.notes = {"a note"};
  full.replica_sweeps = 99;
  Ladder expected = full;
  expected.mean_f = expected.sigma_f = expected.mean_g = expected.sigma_g = {};
  expected.penalty = {6.0};
  CHECK(full.with_columns({6.0}) == expected);
  expected.penalty = full.penalty;
  expected.beta = {1.0, 1.5, 2.0};
  CHECK(full.with_rows({1.0, 1.5, 2.0}) == expected);

  // Baselines: one penalty, no separate cell for the answer; the rest unchanged.
  expected = full.with_columns({5.0});
  expected.answer_beta = 0.0;
  CHECK(columns_for(Method::pt, full, 5.0) == expected);

  // A rehearsal long enough to add rungs between pairs that hardly swap.
  GenerateOptions make;
  make.n = 24;
  const Embedding embedding = embed(generate("sk", make), 2, Placement::packed);
  Ladder sparse;
  sparse.beta = {0.1, 3.0};
  sparse.penalty = {1.0, 2.0};
  sparse.answer_beta = 6.0;
  sparse.multipliers = {0.5};
  sparse.notes = {"a note"};
  const auto device = make_device({.name = "cpu", .threads = 1});
  const Ladder finer = rehearse(embedding, sparse, *device, {}, kNeverStop);
  CHECK(finer.rows() > 2);
  CHECK(finer.answer_beta == sparse.answer_beta);
  CHECK(finer.multipliers == sparse.multipliers);
  CHECK(finer.notes.front() == "a note");
  CHECK(finer.replica_sweeps > 0);
}
