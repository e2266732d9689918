// Runs by rule from the front door: removed spins are back in the answer, and parallel trials end
// the same on any number of threads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "../one_hot_qubo.hpp"
#include "../temporary_folder.hpp"
#include "generate/generate.hpp"
#include "problem/enumerate.hpp"
#include "report/json.hpp"
#include "run/plan.hpp"

namespace chainmail {
namespace {

const std::atomic<bool> kNeverStop{false};

Problem graph(std::size_t spins, double degree) {
  GenerateOptions options;
  options.n = spins;
  options.degree = degree;
  options.seed = 3;
  return generate("maxcut", options);
}

Result solved(const Source& source, const PlanOptions& options) {
  const auto device = open_device(source, options);
  return run(plan(source, options, *device, kNeverStop), *device, kNeverStop);
}

}  // namespace

TEST_CASE("an answer has all spins of a problem that was reduced") {
  const Source source(graph(18, 3.0));
  PlanOptions options;
  options.sweeps = 200;
  options.stop_at_optimum = false;
  const Result result = solved(source, options);
  CHECK(result.pbits < result.spins);
  REQUIRE(result.best.solution.size() == 18);
  CHECK(source.problem().objective(result.best.solution) == result.best.energy);
  CHECK(result.best.energy == enumerate_optimum(source.problem())->energy);
  // If several answers are requested all spins stay.
  options.solutions = 2;
  CHECK(solved(source, options).pbits == 18);
}

TEST_CASE("a problem that can be taken apart whole ends at its optimum") {
  Problem chain;
  chain.objective = Quadratic(50);
  for (std::uint32_t i = 0; i + 1 < 50; ++i) chain.objective.couplings.push_back({i, i + 1, -1.0});
  const Result result = solved(Source(chain), {});
  CHECK(result.stopped_by == "proof");
  CHECK(result.best.energy == -49.0);
}

TEST_CASE("trials by rule end alike on any number of threads") {
  const Source source(graph(200, 8.0));
  PlanOptions options;
  options.sweeps = 3000;
  options.trials = 6;
  const auto on = [&](unsigned threads) {
    options.device.threads = threads;
    Result result = solved(source, options);
    result.device.clear();
    return result;
  };
  const Result one = on(1);
  for (unsigned threads : {2U, 3U, 8U}) {
    CHECK(to_json_without_timings(on(threads)) == to_json_without_timings(one));
  }
  // With a target they stop after the same rounds.
  options.target = one.objective;
  const Result early = on(1);
  CHECK(early.stopped_by == "target");
  for (unsigned threads : {2U, 3U}) {
    const Result other = on(threads);
    CHECK(other.updates == early.updates);
    CHECK(to_json_without_timings(other) == to_json_without_timings(early));
  }
}

TEST_CASE("penalties are searched as the one-hots they stand for, and the best of both is kept") {
  constexpr std::uint32_t kSize = 7;
  const auto has_note = [](const Result& result) {
    return std::any_of(result.ladder.notes.begin(), result.ladder.notes.end(), [](const auto& n) {
      return n.find("one-hots found in penalties") != std::string::npos;
    });
  };
  PlanOptions options;
  options.exact = false;
  const auto qubo = [&](double strength) {
    PenaltyQubo all(kSize * kSize);
    all.add_permutation(kSize, strength, strength);
    add_assignment_costs(all, kSize);
    return all.problem();
  };
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> place(kSize);
  std::iota(place.begin(), place.end(), 0U);
  do {
    double cost = 0.0;
    for (std::uint32_t i = 0; i < kSize; ++i) {
      for (std::uint32_t j = i + 1; j < kSize; ++j) cost += flow_cost(i, j, place[i], place[j]);
    }
    best = std::min(best, cost);
  } while (std::next_permutation(place.begin(), place.end()));

  // Strong penalties: the best permutation, before a sweep of the ladder in spins was made.
  options.target = Decimal(best);
  const Result strong = solved(Source(qubo(1000.0)), options);
  CHECK(strong.best.energy == Approx(best));
  CHECK(strong.stopped_by == "target");
  CHECK(strong.updates == 0);
  CHECK(has_note(strong));
  // Weak ones: it pays to place nothing, which no permutation says.
  options.target.reset();
  options.time_limit = 0.3;
  const Result weak = solved(Source(qubo(best / (4.0 * kSize))), options);
  CHECK(has_note(weak));
  CHECK(weak.best.energy < best - 1.0);
  CHECK(weak.best.energy <= best / 2.0 + 1e-6);
}

TEST_CASE("where no ladder spans the problem, anneals go on as long as the run") {
  const auto planned_for = [](const Source& source, const PlanOptions& options) {
    const auto device = open_device(source, options);
    return plan(source, options, *device, kNeverStop).solve.search;
  };
  const auto planned = [&](std::size_t spins) {
    return planned_for(Source(graph(spins, 4.0)), PlanOptions());
  };
  CHECK(planned(27000).anneal_from > 0.0);
  CHECK(planned(27000).anneal_sweeps >= 200);
  CHECK(planned(27000).mend_sweeps == 0);
  CHECK(planned(9000).anneal_from == 0.0);
  CHECK(planned(9000).anneal_sweeps >= 200);
  // A lattice is mended, but not where a checkpoint would have to hold the state.
  GenerateOptions generated;
  generated.n = 30;
  const Source lattice(generate("ea3d", generated));
  PlanOptions options;
  CHECK(planned_for(lattice, options).mend_sweeps > 0);
  const TemporaryFolder folder;
  options.checkpoint = folder.file("run");
  CHECK(planned_for(lattice, options).mend_sweeps == 0);
}

TEST_CASE("graphs with hubs mend in turns with their ladder") {
  // Every spin is coupled to three before it, one of them any, or one of a few.
  const auto search_of = [](std::uint32_t spins, bool hubs, const std::string& checkpoint) {
    Problem problem;
    problem.objective = Quadratic(spins);
    for (std::uint32_t i = 70; i < spins; ++i) {
      for (const std::uint32_t to :
           {i - 1, i - 33, hubs ? i % 30 : (i * 2654435761U >> 8U) % (i - 40)}) {
        problem.objective.couplings.push_back({to, i, (i * 7 + to) % 3 == 0 ? 1.0 : -1.0});
      }
    }
    problem.objective.normalise();
    const Source source(problem);
    PlanOptions options;
    options.checkpoint = checkpoint;
    const auto device = open_device(source, options);
    return plan(source, options, *device, kNeverStop).solve.search;
  };
  CHECK(search_of(5000, true, "").mend_sweeps > 0);
  CHECK(search_of(5000, true, "").anneal_from == 0.0);
  CHECK(search_of(5000, false, "").mend_sweeps == 0);
  CHECK(search_of(2500, true, "").mend_sweeps == 0);
  const TemporaryFolder folder;
  CHECK(search_of(5000, true, folder.file("run")).mend_sweeps == 0);
}

}  // namespace chainmail
