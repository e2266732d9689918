// Constraints of the problem's own on a kernel: every column samples exactly f' + P g, alone and
// under swaps, with and without chains; f and g are those of the spins; what is too wide for the
// tables is refused with numbers.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <numbers>

#include "device/kernel/column_tables.hpp"
#include "device/kernel/kernel_device.hpp"
#include "exact.hpp"
#include "generate/models.hpp"
#include "grid/sampler.hpp"
#include "model/model_files.hpp"
#include "run/plan.hpp"
#include "squares/squares.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

// One of three, at most one of two, and an inequality with two slack bits: seven spins.
constexpr const char* kSmall =
    "Maximize\n obj: 3 a + 2 b + 4 c - d + 2 e + [ 4 a * d - 6 c * e ] / 2\n"
    "Subject To\n one: a + b + c = 1\n few: d + e <= 1\n sum: a + 2 b + d + e <= 2\n"
    "Binary\n a b c d e\nEnd\n";
// The same without slack, for topologies with chains: five spins.
constexpr const char* kSmaller =
    "Minimize\n obj: 3 a + 2 b - 4 c - d + 2 e + [ 4 a * d - 6 c * e ] / 2\n"
    "Subject To\n one: a + b + c = 1\n few: d + e <= 1\nBinary\n a b c d e\nEnd\n";

SquaredModel compiled(const char* text) {
  return squared(parse_model(text, "small.lp", ModelFormat::lp));
}

Embedding embedded(const SquaredModel& model, const Topology& topology) {
  Embedding embedding = embed(model.problem, topology);
  if (topology.options.copies == 1) embedding.residuals = model.residuals;
  return embedding;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

Ladder ladder(std::vector<double> beta, std::vector<double> penalty) {
  Ladder ladder;
  ladder.beta = std::move(beta);
  ladder.penalty = std::move(penalty);
  return ladder;
}

// A run with swaps; the states met in every cell against the exact distribution there.
void check_cells(const std::string& topology, const char* text, const Ladder& ladder,
                 std::size_t rounds, std::uint64_t gap) {
  const auto device = make_hls_device("hls:" + topology);
  const Embedding embedding = embedded(compiled(text), *device->topology());
  std::vector<std::vector<std::size_t>> counts(
      ladder.rows() * ladder.columns(),
      std::vector<std::size_t>(std::size_t{1} << embedding.pbits(), 0));
  const std::atomic<bool> stop{false};
  SampleOptions options;
  options.rounds = rounds;
  options.sweeps_per_swap = gap;
  options.swap_sets = SwapSets::all;
  std::size_t feasible = 0;
  sample(embedding, ladder, *device, options, stop, [&](const SampleRound& round) {
    for (std::size_t r = 0; r < counts.size(); ++r) {
      const std::vector<Spin> spins = device->read_spins(0, r, Which::current);
      REQUIRE(round.burst.f[r] == Approx(embedding.model.f(spins)).margin(1e-9));
      REQUIRE(round.burst.g[r] == Approx(embedding.model.g(spins)).margin(1e-9));
      ++counts[round.grid.cells()[r]][exact::state_number(spins)];
      if (std::isinf(round.burst.best_f[r])) continue;
      ++feasible;
      const std::vector<Spin> best = device->read_spins(0, r, Which::best);
      REQUIRE(embedding.model.g(best) == Approx(0.0).margin(1e-9));
      REQUIRE(embedding.model.f(best) == Approx(round.burst.best_f[r]).margin(1e-9));
    }
  });
  REQUIRE(feasible > rounds);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    const double beta = ladder.beta[cell / ladder.columns()];
    const Parameters at = device->quantise({beta, beta * ladder.penalty[cell % ladder.columns()]});
    const exact::Averages truth = exact::boltzmann(embedding.model, at);
    const exact::Distance distance = exact::compare(truth.probability, counts[cell]);
    INFO(topology << ", beta " << at.beta << ", beta P " << at.beta_penalty);
    CHECK(distance.total_variation < distance.limit);
  }
}

}  // namespace

TEST_CASE("columns of a constrained model sample their own distribution", "[hls][columns]") {
  check_cells("8x1", kSmall, ladder({0.1, 0.2, 0.35}, {0.5, 1.5, 3.0}), 6000, 20);
}

TEST_CASE("chains and constraints share one penalty on a kernel", "[hls][columns]") {
  check_cells("5x2", kSmaller, ladder({0.1, 0.2, 0.3}, {0.5, 1.0, 2.0}), 6000, 20);
}

TEST_CASE("swaps weigh the beta and P that the kernel really uses", "[hls][columns]") {
  // Ladders that no kernel holds exactly, without and with a constraint of the problem's own.
  const auto device = make_hls_device("hls:5x2-t9-b17-w2-r16");
  const Ladder rough = ladder({0.1234567, 0.2345671}, {0.3141592, 0.7182818, 1.6180339});
  const std::atomic<bool> stop{false};
  for (const bool constrained : {false, true}) {
    Embedding embedding = embedded(compiled(kSmaller), *device->topology());
    if (!constrained) {
      Problem problem = compiled(kSmaller).problem;
      problem.constraint.reset();
      embedding = embed(problem, *device->topology());
    }
    std::vector<Parameters> used;
    SampleOptions options;
    options.rounds = 5;
    options.warmup_rounds = 0;
    options.swap_sets = SwapSets::all;
    const auto weigh = [&](const Parameters& a, const Measured&, const Parameters& b,
                           const Measured&) {
      used.push_back(a);
      used.push_back(b);
      return 0.0;
    };
    sample(
        embedding, rough, *device, options, stop, [](const SampleRound&) {}, weigh);
    REQUIRE(used.size() > 20);
    std::size_t rounded = 0;
    for (const Parameters& p : used) {
      CHECK(device->quantise(p) == p);
      // The kernel's own numbers: whole units of beta P, unlike any requested value.
      for (double beta : rough.beta)
        for (double penalty : rough.penalty) rounded += p == Parameters{beta, beta * penalty};
    }
    CHECK(rounded == 0);
  }
}

TEST_CASE("penalties are steps of one size, the same whoever asks", "[hls][columns]") {
  for (const std::string name : {"8x1", "5x2"}) {
    const Topology topology = topology_from_name(name);
    const PhysicalModel model = embed(compiled(kSmaller).problem, topology).model;
    const ColumnTables tables(model, topology,
                              {.replicas = 4, .beta_max = 2.0, .penalty_max = 10.0});
    REQUIRE(tables.report().exact);
    REQUIRE(tables.last_column() > 20);
    Engine engine(5);
    int as_wanted = 0;
    for (int i = 0; i < 1000; ++i) {
      const double beta = 0.05 + 1.95 * unit_interval(engine());
      const Parameters wanted{beta, beta * 10.0 * unit_interval(engine())};
      const Parameters got = tables.quantise(wanted);
      REQUIRE(tables.quantise(got) == got);
      as_wanted += got.beta == beta;
      REQUIRE(got.beta_penalty / got.beta ==
              Approx(tables.penalty(tables.column_of(wanted))).epsilon(1e-12));
      REQUIRE(std::abs(got.beta_penalty / got.beta - wanted.beta_penalty / beta) <=
              0.5 * tables.step() * (1 + 1e-9));
      // Half a unit of beta; with chains beta P is rounded to ln 2 / 512 and beta follows it.
      double change = 0.5 * std::numbers::ln2 * tables.report().scale / std::ldexp(1.0, 24);
      if (name == "5x2" && got.beta_penalty > 0) change += 6.8e-4 * got.beta / got.beta_penalty;
      REQUIRE(std::abs(got.beta - beta) <= change * (1 + 1e-6));
    }
    CHECK(as_wanted == 0);  // beta is in whole units, too
  }
}

TEST_CASE("a constrained model is solved on the kernel as on the CPU", "[hls][columns]") {
  GenerateOptions make;
  make.n = 5;  // 16 bits
  const ConstrainedModel model = make_tsp(make);
  double best = kUnbounded;  // by enumeration of all 24 orders
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    std::vector<std::int64_t> values(16, 0);
    for (std::size_t place = 0; place < 4; ++place) values[4 * place + order[place]] = 1;
    const Evaluation evaluation = evaluate(model, values);
    REQUIRE(evaluation.feasible());
    best = std::min(best, evaluation.objective);
  } while (std::next_permutation(order.begin(), order.end()));

  const auto device = make_hls_device("hls:16x1");
  const Source source = source_of(model, "trip");
  PlanOptions options;
  options.sweeps = 2000;
  options.trials = 2;
  options.solutions = 3;
  options.device.threads = 1;
  const std::atomic<bool> stop{false};
  const Result result = run(plan(source, options, *device, stop), *device, stop);
  REQUIRE(result.best.feasible);
  REQUIRE(result.objective == best);
  REQUIRE(result.answers.size() == 3);
  for (const NamedAnswer& answer : result.answers) REQUIRE(answer.feasible);
  REQUIRE_THAT(result.device, Contains("tables for each penalty"));
}

TEST_CASE("grids of a constrained model do not depend on each other", "[hls][columns]") {
  const auto run = [](std::size_t grids) {
    const auto device = make_hls_device("hls:8x1");
    const PhysicalModel model = embed(compiled(kSmall).problem, *device->topology()).model;
    device->load(model,
                 {.grids = grids, .replicas = 6, .seed = 9, .beta_max = 1.0, .penalty_max = 3.0});
    std::vector<Parameters> parameters;
    for (const double penalty : {3.0, 1.0, 2.0, 1.0, 0.0, 3.0}) {
      parameters.push_back(device->quantise({0.3, 0.3 * penalty}));
    }
    std::vector<double> seen;
    for (std::uint64_t burst = 0; burst < 4; ++burst) {
      for (std::size_t g = 0; g < grids; ++g) device->submit(g, parameters, 5, burst);
      for (std::size_t g = 0; g < grids; ++g) device->wait(g);
      const BurstResult& result = device->wait(0);
      seen.insert(seen.end(), result.f.begin(), result.f.end());
      seen.insert(seen.end(), result.g.begin(), result.g.end());
    }
    // A burst may still be in flight when the device is destroyed.
    device->submit(0, parameters, 5, 4);
    return seen;
  };
  REQUIRE(run(1) == run(3));
}

TEST_CASE("constraints that do not fit a kernel are refused with numbers", "[hls][columns]") {
  const Topology topology = topology_from_name("16x1");
  GenerateOptions make;
  make.n = 6;
  CHECK(message_of([&] { embed(squared(make_tsp(make)).problem, topology); }) ==
        "problem has 25 spins; topology 16x1 holds 16; the CPU takes it (--device cpu)");
  const char* heavy =
      "Maximize\n obj: 3 a + 2 b + 4 c\nSubject To\n weight: 910 a + 873 b + 657 c <= 1200\n"
      "Binary\n a b c\nEnd\n";
  const PhysicalModel model = embed(compiled(heavy).problem, topology).model;
  const LoadOptions options{.replicas = 4, .beta_max = 5.0, .penalty_max = 1000.0};
  const std::string message = message_of([&] { ColumnTables(model, topology, options); });
  CHECK_THAT(message, Contains("up to P = 1000") && Contains("beta = 5") &&
                          Contains("topology 16x1 has 14"));
  PhysicalModel odd = model;
  odd.g.couplings[0].value = std::sqrt(2.0);
  CHECK_THAT(message_of([&] { ColumnTables(odd, topology, options); }),
             Contains("not multiples of one unit"));
}
