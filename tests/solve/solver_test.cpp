// The solver as a whole: planted optima found, same seed same result, runs that stop and resume,
// ladders for problems with nothing to tune.
#include "solve/solver.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "../temporary_folder.hpp"
#include "generate/generate.hpp"
#include "ladder/ladder_file.hpp"
#include "ladder/pilot.hpp"
#include "ladder/rehearsal.hpp"
#include "report/json.hpp"
#include "support/atomic_file.hpp"
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

Ladder tuned(const Embedding& embedding, const PilotOptions& options = {}) {
  const auto device = make_device({"cpu", 1, "auto"});
  return run_pilot(embedding.model, *device, options);
}

Ladder by_hand(std::vector<double> beta, std::vector<double> penalty) {
  Ladder ladder;
  ladder.beta = std::move(beta);
  ladder.penalty = std::move(penalty);
  return ladder;
}

Result run(const Problem& problem, const Embedding& embedding, const Ladder& ladder,
           const SolveOptions& options, unsigned threads = 1) {
  const auto device = make_device({"cpu", threads, "auto"});
  Result result = solve(problem, embedding, ladder, *device, options, kNeverStop);
  result.device = "cpu";  // describe() contains the number of threads
  return result;
}

}  // namespace

TEST_CASE("2D-PT finds planted optima through three copies, and says how") {
  const Problem problem = wishart(20, 4);
  const Embedding embedding = embed(problem, 3, Placement::alt);
  SolveOptions options;
  options.sweeps = 20000;
  const Result result = run(problem, embedding, tuned(embedding), options);
  CHECK(result.best.feasible);
  CHECK(result.best.energy == Approx(*problem.known_optimum));
  CHECK(problem.objective(result.best.solution) == result.best.energy);
  CHECK(*result.residual_per_spin == Approx(0.0).margin(1e-9));
  CHECK(result.pbits == 60);
  CHECK(result.updates == 20000 * result.ladder.rows() * result.ladder.columns() * 60);
  CHECK(result.acceptance_beta.size() == result.ladder.rows() - 1);
  CHECK(result.acceptance_penalty[0].size() == result.ladder.columns() - 1);
  CHECK(result.round_trips > 0);
  CHECK(result.trace.back().sweep == 20000);
  CHECK(result.stopped_by == "sweeps");
}

TEST_CASE("plain PT without copies, and J-column, solve too") {
  const Problem problem = wishart(20, 5);
  SolveOptions options;
  options.method = Method::pt;
  options.sweeps = 5000;
  const Embedding dense = embed(problem, 1);
  const Result pt = run(problem, dense, tuned(dense), options);
  CHECK(pt.best.energy == Approx(*problem.known_optimum));
  CHECK(pt.ladder.columns() == 1);

  options.method = Method::jcolumn;
  const Embedding copies = embed(problem, 2, Placement::alt);
  const Ladder ladder = columns_for(Method::jcolumn, tuned(copies), 1.1);
  CHECK(ladder.penalty == std::vector<double>(ladder.columns(), 1.1));
  const Result jcolumn = run(problem, copies, ladder, options);
  CHECK(jcolumn.best.energy == Approx(*problem.known_optimum));
  CHECK(jcolumn.acceptance_penalty.empty());
}

TEST_CASE("without a penalty of the user's, one column runs at the ladder's mean") {
  const Ladder ladder = by_hand({1.0, 2.0}, {1.0, 2.0, 6.0});
  CHECK(columns_for(Method::jcolumn, ladder, {}).penalty == std::vector<double>(3, 3.0));
  CHECK(columns_for(Method::pt, ladder, {}).penalty == std::vector<double>{3.0});
  CHECK(columns_for(Method::two_dimensional, ladder, 5.0) == ladder);
}

TEST_CASE("the same seed gives the same result for any number of threads and trials in flight") {
  const Problem problem = wishart(24, 6);
  const Embedding embedding = embed(problem, 3, Placement::packed);
  const Ladder ladder = tuned(embedding);
  SolveOptions options;
  options.sweeps = 1000;
  options.trials = 6;
  const Result one = run(problem, embedding, ladder, options, 1);
  const Result three = run(problem, embedding, ladder, options, 3);
  CHECK(to_json_without_timings(one) == to_json_without_timings(three));
  // A trial does not depend on how many there are.
  options.trials = 1;
  const Result alone = run(problem, embedding, ladder, options, 2);
  CHECK(alone.per_trial[0].solution == one.per_trial[0].solution);
  CHECK(alone.per_trial[0].found_at_sweep == one.per_trial[0].found_at_sweep);
  // Another seed is another run, and trials differ among themselves.
  options.seed = 2;
  const Result other = run(problem, embedding, ladder, options, 2);
  CHECK(to_json_without_timings(other) != to_json_without_timings(alone));
  CHECK(one.per_trial[0].found_at_sweep != one.per_trial[1].found_at_sweep);
}

TEST_CASE("the pilot is repeatable") {
  const Embedding embedding = embed(wishart(16, 1), 2, Placement::alt);
  CHECK(tuned(embedding) == tuned(embedding));
}

TEST_CASE("a run interrupted anywhere resumes to the result of an uninterrupted one") {
  const Problem problem = wishart(20, 7);
  const Embedding embedding = embed(problem, 3, Placement::packed);
  const Ladder ladder = tuned(embedding);
  SolveOptions options;
  options.sweeps = 2000;
  options.sweeps_per_swap = 50;
  options.trials = 6;  // more than are in flight at once
  const Result whole = run(problem, embedding, ladder, options);

  for (int rounds_before_stop : {1, 17, 39, 41, 60, 77}) {
    TemporaryFolder folder;
    options.checkpoint = folder.file("run.checkpoint");
    std::atomic<bool> stop{false};
    int rounds = 0;
    const auto device = make_device({"cpu", 1, "auto"});
    const Result part = solve(problem, embedding, ladder, *device, options, stop,
                              [&](const SolveStatus&) { stop = ++rounds >= rounds_before_stop; });
    INFO("stopped after " << rounds << " rounds");
    CHECK(part.stopped_by == "interrupt");
    CHECK(part.updates < whole.updates);
    const Result resumed = run(problem, embedding, ladder, options);
    CHECK(to_json_without_timings(resumed) == to_json_without_timings(whole));
    // Once more: the run is complete, nothing is left to do.
    CHECK(to_json_without_timings(run(problem, embedding, ladder, options)) ==
          to_json_without_timings(whole));
  }
}

TEST_CASE("a checkpoint of another run, or a damaged one, is refused") {
  const Problem problem = wishart(12, 8);
  const Embedding embedding = embed(problem, 2, Placement::alt);
  const Ladder ladder = by_hand({0.5, 1.0, 2.0}, {0.5, 1.5});
  TemporaryFolder folder;
  SolveOptions options;
  options.sweeps = 200;
  options.checkpoint = folder.file("run.checkpoint");
  (void)run(problem, embedding, ladder, options);

  SolveOptions other = options;
  other.seed = 99;
  CHECK_THROWS_WITH(run(problem, embedding, ladder, other), Catch::Contains("belongs to another"));
  const std::string good = read_file(options.checkpoint);
  for (std::size_t length : {std::size_t{0}, std::size_t{10}, good.size() / 2, good.size() - 3}) {
    write_file(options.checkpoint, good.substr(0, length));
    CHECK_THROWS_AS(run(problem, embedding, ladder, options), InputError);
  }
}

// The trace is thinned after 256 rounds; a run that ends between two of its points must still say
// in it that the target was reached.
TEST_CASE("the trace of a run that stops at its target ends with the target") {
  std::size_t late = 0;
  for (std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const Problem problem = wishart(60, seed);
    const Embedding embedding = embed(problem, 1);
    SolveOptions options;
    options.sweeps = 1000000;
    options.sweeps_per_swap = 1;
    options.target = problem.known_optimum;
    const Result result = run(problem, embedding, by_hand({6.0}, {0.0}), options);
    REQUIRE(result.stopped_by == "target");
    if (result.best.found_at_sweep > 1000) ++late;
    CHECK(result.trace.back().best == result.best.energy);
    CHECK(result.trace.back().sweep >= result.best.found_at_sweep);
  }
  CHECK(late >= 3);
}

TEST_CASE("one run read at several times is as many runs of that length") {
  const Problem problem = wishart(24, 8);
  const Embedding embedding = embed(problem, 2, Placement::packed);
  const Ladder ladder = by_hand({1.0, 2.0, 3.0}, {0.8, 1.2});
  SolveOptions options;
  options.sweeps_per_swap = 2;
  options.seed = 5;
  const auto device = make_device({"cpu", 1, "auto"});
  const std::vector<std::uint64_t> times{2, 10, 40, 600};
  const std::vector<TrialResult> read =
      best_at(times, problem, embedding, ladder, *device, options);
  REQUIRE(read.size() == times.size());
  CHECK(read.front().energy > read.back().energy);
  for (std::size_t k = 0; k < times.size(); ++k) {
    options.sweeps = times[k];
    const TrialResult alone = run(problem, embedding, ladder, options).best;
    CHECK(read[k].solution == alone.solution);
    CHECK(read[k].found_at_sweep == alone.found_at_sweep);
    CHECK(read[k].feasible == alone.feasible);
  }
  for (const auto& wrong : {std::vector<std::uint64_t>{}, {3}, {4, 2}, {0, 2}}) {
    CHECK_THROWS_AS(best_at(wrong, problem, embedding, ladder, *device, options), UsageError);
  }
}

TEST_CASE("target and time limit stop early and keep the best") {
  const Problem problem = wishart(20, 9);
  const Embedding embedding = embed(problem, 1);
  const Ladder ladder = tuned(embedding);
  SolveOptions options;
  options.method = Method::pt;
  options.sweeps = 1000000000;
  options.target = problem.known_optimum;
  const Result on_target = run(problem, embedding, ladder, options);
  CHECK(on_target.stopped_by == "target");
  CHECK(on_target.best.energy == Approx(*problem.known_optimum));
  options.target.reset();
  options.time_limit = 0.2;
  const Result in_time = run(problem, embedding, ladder, options);
  CHECK(in_time.stopped_by == "time limit");
  CHECK(in_time.best.feasible);
}

TEST_CASE("a run can start from a given state") {
  const Problem problem = wishart(30, 10);
  const Embedding embedding = embed(problem, 3, Placement::packed);
  SolveOptions options;
  options.sweeps = 1;
  options.sweeps_per_swap = 1;
  options.initial = problem.known_solution;
  const Result result = run(problem, embedding, by_hand({1e4, 2e4}, {1.0, 2.0}), options);
  CHECK(result.best.energy == Approx(*problem.known_optimum));  // frozen: it cannot have moved
}

TEST_CASE("where nothing is feasible the least violating state is kept and called infeasible") {
  Problem problem = wishart(10, 11);
  Quadratic never(10);
  never.offset = 3.0;  // g = 3 - S0 S1 >= 2
  never.couplings.push_back({0, 1, 1.0});
  problem.constraint = never;
  const Embedding embedding = embed(problem, 1);
  SolveOptions options;
  options.sweeps = 500;
  const Result result = run(problem, embedding, by_hand({0.5, 1.0}, {1.0, 2.0}), options);
  CHECK_FALSE(result.best.feasible);
  CHECK(result.best.g == Approx(2.0));
  CHECK(result.best.solution.size() == 10);
  CHECK(result.answer_feasible_rate == 0.0);
}

TEST_CASE("the pilot copes with problems that have no spread to measure") {
  for (std::size_t copies : {1, 2}) {
    Problem flat;
    flat.objective = Quadratic(3);  // no couplings at all: sigma_E is zero everywhere
    const Embedding embedding = embed(flat, copies, Placement::alt);
    const Ladder ladder = tuned(embedding);
    check_ladder(ladder, "pilot");
    CHECK(ladder.beta.back() < 1e4);
    SolveOptions options;
    options.sweeps = 100;
    CHECK(run(flat, embedding, ladder, options).best.feasible);
  }
  Problem single;
  single.objective = Quadratic(1);
  single.objective.fields[0] = 1e-9;
  const Embedding embedding = embed(single, 1);
  const Ladder ladder = tuned(embedding);
  check_ladder(ladder, "pilot");
  SolveOptions options;
  options.sweeps = 100;
  CHECK(run(single, embedding, ladder, options).best.energy == Approx(-1e-9));
}

TEST_CASE("ladders scale with the problem's units") {
  const Problem problem = wishart(16, 3);
  Problem large = problem;
  for (Coupling& c : large.objective.couplings) c.value *= 1024.0;
  const Ladder a = tuned(embed(problem, 2, Placement::alt));
  const Ladder b = tuned(embed(large, 2, Placement::alt));
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.columns() == b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) CHECK(b.beta[i] == Approx(a.beta[i] / 1024.0));
  for (std::size_t j = 0; j < a.columns(); ++j)
    CHECK(b.penalty[j] == Approx(a.penalty[j] * 1024.0));
}

TEST_CASE("ladders respect their caps and explain what they could not do") {
  const Embedding embedding = embed(wishart(30, 3), 3, Placement::alt);
  PilotOptions options;
  options.max_rows = 4;
  options.max_columns = 2;
  const Ladder ladder = tuned(embedding, options);
  CHECK(ladder.rows() == 4);
  CHECK(ladder.columns() == 2);
  REQUIRE(ladder.notes.size() >= 2);
  CHECK_THAT(ladder.notes[0], Catch::Contains("--rows"));
  CHECK_THAT(ladder.notes[1], Catch::Contains("--columns"));
}

TEST_CASE("rungs go where gaps are long, the longest first when room is short") {
  const std::vector<double> ladder = {0.0, 1.0, 3.0, 4.0};
  CHECK(with_rungs(ladder, {1.0, 1.0, 1.0}, 2.0, 20) == ladder);
  CHECK(with_rungs(ladder, {1.0, 3.0, 1.0}, 2.0, 20) ==
        std::vector<double>{0.0, 1.0, 2.0, 3.0, 4.0});
  CHECK(with_rungs(ladder, {4.5, 3.0, 1.0}, 2.0, 20) ==
        std::vector<double>{0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 2.0, 3.0, 4.0});
  CHECK(with_rungs(ladder, {2.5, 3.0, 1.0}, 2.0, 5) ==
        std::vector<double>{0.0, 1.0, 2.0, 3.0, 4.0});
  CHECK(with_rungs(ladder, {9.0, 9.0, 9.0}, 2.0, 4) == ladder);
}

TEST_CASE("a rehearsal mends a pair that hardly swaps") {
  const Problem problem = wishart(16, 2);
  const Embedding embedding = embed(problem, 2, Placement::alt);
  const auto device = make_device({"cpu", 1, "auto"});
  const Ladder coarse = by_hand({0.5, 1.0, 4.0}, {0.5, 1.0, 6.0});
  const Ladder fine = rehearse(embedding, coarse, *device, {}, kNeverStop);
  CHECK(fine.rows() > coarse.rows());
  CHECK(fine.columns() > coarse.columns());
  CHECK(fine.beta.front() == 0.5);
  CHECK(fine.beta.back() == 4.0);
  CHECK(fine.penalty.back() == 6.0);
  check_ladder(fine, "rehearsal");
  const Ladder again = rehearse(embedding, coarse, *device, {}, kNeverStop);
  CHECK(again == fine);
}

TEST_CASE("schedules survive their file, and bad ones are refused by name") {
  const Ladder ladder = tuned(embed(wishart(12, 3), 2, Placement::alt));
  CHECK(ladder_from_json(ladder_to_json(ladder), "x") == ladder);
  const auto refused = [](const std::string& text, const std::string& why) {
    CHECK_THROWS_WITH(ladder_from_json(text, "s.json"),
                      Catch::StartsWith("s.json") && Catch::Contains(why));
  };
  refused("{", "s.json:1:");
  refused("[]", "expected a schedule");
  const std::string head = R"({"format":"chainmail-schedule","version":1,)";
  refused(head + R"("beta":[1],"penalty":[]})", "'penalty' is empty");
  refused(head + R"("beta":[2,1],"penalty":[0]})", "must ascend");
  refused(head + R"("beta":[-1],"penalty":[0]})", "zero or more");
  refused(head + R"("beta":["x"],"penalty":[0]})", "beta[0]: expected a number");
  refused(
      head +
          R"("beta":[1],"penalty":[0],"pilot":{"mean_f":[],"sigma_f":[],"mean_g":[],"sigma_g":[]}})",
      "pilot.mean_f");
}
