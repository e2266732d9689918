// The public header as others use it: models mean what the user wrote, answers are those of the
// command line, and failures are of one kind.
#include "chainmail/chainmail.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <thread>

#include "../temporary_folder.hpp"
#include "report/json.hpp"
#include "run/plan.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

// maximise 5 a + 4 b + 3 c + 2 a c, 2 a + 3 b + c <= 4
Model knapsack() {
  Model model;
  const auto a = model.add_binary("a"), b = model.add_binary("b"), c = model.add_binary("c");
  model.set_sense(Model::maximise);
  model.add_linear(a, 5);
  model.add_linear(b, 4);
  model.add_linear(c, 3);
  model.add_quadratic(a, c, 2);
  model.add_constraint("capacity", {{a, 2}, {b, 3}, {c, 1}}, -kInfinity, 4);
  return model;
}

Failure::Kind kind_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return failure.kind;
  }
  FAIL("nothing was thrown");
  return {};
}

}  // namespace

TEST_CASE("a constrained model is solved and judged in its own terms") {
  const Model model = knapsack();
  Options options;
  options.threads = 1;
  options.sweeps = 500;
  options.solutions = 2;
  const Solution found = solve(model, options);
  REQUIRE(found.best.feasible);
  CHECK(found.best.objective == 10);
  CHECK(found.best.values == std::vector<std::int64_t>{1, 0, 1});
  REQUIRE(found.others.size() == 1);
  CHECK(found.others[0].objective == 7);
  CHECK_THAT(found.json(), Contains("\"feasible\""));
  CHECK_THAT(found.html(), Contains("<svg"));
  CHECK_THAT(found.trace_csv(), Contains("sweep,"));

  const Answer heavy = evaluate(model, std::vector<std::int64_t>{1, 1, 1});
  CHECK_FALSE(heavy.feasible);
  CHECK(heavy.objective == 14);
  REQUIRE(heavy.violations.size() == 1);
  CHECK(heavy.violations[0].constraint == "capacity");
  CHECK(heavy.violations[0].left == 6);
  CHECK(heavy.violations[0].relation == "<=");
  CHECK(heavy.violations[0].right == 4);
}

TEST_CASE("spins, binaries and integers mean what was written, by enumeration") {
  // Random coefficients, every state judged against the sum written out here.
  for (const bool spins : {true, false}) {
    for (const bool maximise : {true, false}) {
      Model model;
      constexpr std::size_t n = 6;
      std::vector<double> linear(n);
      std::map<std::pair<std::size_t, std::size_t>, double> pairs;
      if (maximise) model.set_sense(Model::maximise);
      for (std::size_t i = 0; i < n; ++i) spins ? model.add_spin() : model.add_binary();
      for (std::size_t i = 0; i < n; ++i) {
        linear[i] = std::sin(static_cast<double>(i + 1));
        model.add_linear(i, linear[i] - 1.0);
        model.add_linear(i, 1.0);
        for (std::size_t j = i; j < n; ++j) {
          pairs[{i, j}] = std::cos(static_cast<double>(3 * i + 7 * j));
          model.add_quadratic(j, i, pairs[{i, j}]);
        }
      }
      model.add_constant(0.25);
      double best = maximise ? -kInfinity : kInfinity;
      for (std::size_t state = 0; state < (1U << n); ++state) {
        std::vector<std::int64_t> values(n);
        for (std::size_t i = 0; i < n; ++i) {
          values[i] = (state >> i) & 1U ? 1 : spins ? -1 : 0;
        }
        double sum = 0.25;
        for (std::size_t i = 0; i < n; ++i) sum += linear[i] * static_cast<double>(values[i]);
        for (const auto& [at, c] : pairs) {
          sum += c * static_cast<double>(values[at.first] * values[at.second]);
        }
        const Answer answer = evaluate(model, values);
        REQUIRE(answer.feasible);
        REQUIRE(answer.objective == Approx(sum).margin(1e-12));
        best = maximise ? std::max(best, sum) : std::min(best, sum);
      }
      Options options;
      options.threads = 1;
      options.sweeps = 500;
      options.target = best;
      const Solution found = solve(model, options);
      CHECK(found.best.objective == Approx(best));
      CHECK(found.stopped_by == "target");
      CHECK(evaluate(model, found.best.values).objective == Approx(found.best.objective));
    }
  }
  Model numbers;
  const auto x = numbers.add_integer(-3, 9, "x");
  numbers.add_linear(x, 1);
  numbers.add_constraint("least", {{x, 2}}, -5, kInfinity);
  CHECK(solve(numbers).best.values == std::vector<std::int64_t>{-2});
}

// How often each state is among the samples of one replica, each with the objective it should have.
template <class Counts>
std::map<std::vector<std::int64_t>, double> shares(const Model& model, const Sampling& sampling,
                                                   Counts counts) {
  Options options;
  options.threads = 1;
  std::map<std::vector<std::int64_t>, double> seen;
  for (const Sample& sample : chainmail::sample(model, sampling, options)) {
    if (counts(sample)) seen[sample.values] += 1.0 / static_cast<double>(sampling.samples);
    REQUIRE(sample.objective == Approx(evaluate(model, sample.values).objective).margin(1e-12));
  }
  return seen;
}

TEST_CASE("samples follow the exact distribution") {
  Model model;
  for (int i = 0; i < 3; ++i) model.add_binary();
  model.add_linear(0, 1.0);
  model.add_quadratic(0, 1, -1.5);
  model.add_quadratic(1, 2, 0.75);
  Sampling sampling;
  sampling.betas = {0.5, 1.0};
  sampling.samples = 40000;
  sampling.sweeps = 2;
  auto seen = shares(model, sampling, [](const Sample& s) { return s.beta == 1.0; });
  double z = 0.0;
  std::map<std::vector<std::int64_t>, double> exact;
  for (int state = 0; state < 8; ++state) {
    const std::vector<std::int64_t> values{state & 1, (state >> 1) & 1, (state >> 2) & 1};
    z += exact[values] = std::exp(-evaluate(model, values).objective);
  }
  // Eight shares of 40,000 nearly independent samples: one of them is off by more than 0.02, six of
  // its standard errors with an autocorrelation of three, about once in 10^8 runs.
  for (const auto& [values, weight] : exact) CHECK(std::abs(seen[values] - weight / z) < 0.02);
}

TEST_CASE("samples of a constrained model follow the constraints as they are written") {
  const Model model = knapsack();  // 2 a + 3 b + c <= 4, in g with weight 1 / rms(2, 3, 1)
  Sampling sampling;
  sampling.betas = {0.2, 0.4};
  sampling.penalties = {1.0, 6.0};
  sampling.samples = 40000;
  sampling.sweeps = 2;
  auto seen =
      shares(model, sampling, [](const Sample& s) { return s.beta == 0.4 && s.penalty == 6.0; });
  double z = 0.0;
  std::map<std::vector<std::int64_t>, double> exact;
  for (int state = 0; state < 8; ++state) {
    const std::vector<std::int64_t> x{state & 1, (state >> 1) & 1, (state >> 2) & 1};
    const auto over =
        static_cast<double>(std::max<std::int64_t>(0, 2 * x[0] + 3 * x[1] + x[2] - 4));
    const double g = over / std::sqrt(14.0 / 3.0);
    z += exact[x] = std::exp(0.4 * evaluate(model, x).objective - 0.4 * 6.0 * g);
  }
  for (const auto& [x, weight] : exact) CHECK(std::abs(seen[x] - weight / z) < 0.02);
}

TEST_CASE("a file through the library gives what the front door gives") {
  const TemporaryFolder folder;
  const std::string path = folder.file("p.lp");
  std::ofstream(path) << "Maximize\n 3 x + 2 y + z\nSubject To\n c: x + y + z <= 2\nBinary\n x y "
                         "z\nEnd\n";
  const Model model = Model::read(path);
  CHECK(model.size() == 3);
  CHECK(model.name(1) == "y");
  CHECK(model.sense() == Model::maximise);
  Options options;
  options.threads = 1;
  options.sweeps = 300;
  options.seed = 7;
  const Solution found = solve(model, options);
  CHECK(found.best.objective == 5);

  const Source source = read_source(path);
  PlanOptions wanted;
  wanted.device.threads = 1;
  wanted.sweeps = 300;
  wanted.seed = 7;
  const std::atomic<bool> stop{false};
  const auto device = open_device(source, wanted);
  const Result result = run(plan(source, wanted, *device, stop), *device, stop);
  const auto head = [](const std::string& json) { return json.substr(0, json.find("seconds")); };
  CHECK(head(found.json()) == head(to_json(result)));
}

TEST_CASE("a problem that was read tells its names, sense and optimum in the user's terms") {
  const TemporaryFolder folder;
  const std::string path = folder.file("p.json");
  // f = S0 S1, shown as cut = 2 - f: the optimum f = -1 is a cut of 3.
  std::ofstream(path) << R"({"format":"chainmail-problem","version":1,"spins":2,)"
                         R"("couplings":[[0,1,-1]],"known_optimum":-1,)"
                         R"("objective":{"name":"cut","scale":-1,"shift":2}})";
  const Model cut = Model::read(path);
  CHECK(cut.size() == 2);
  CHECK(cut.name(1) == "1");
  CHECK(cut.sense() == Model::maximise);
  REQUIRE(cut.known_optimum());
  CHECK(*cut.known_optimum() == 3.0);
  Options options;
  options.threads = 1;
  options.sweeps = 100;
  const Solution found = solve(cut, options);
  CHECK(found.best.objective == 3.0);
  CHECK(evaluate(cut, found.best.values).objective == 3.0);

  std::ofstream(path) << R"({"format":"chainmail-problem","version":1,"spins":2,)"
                         R"("couplings":[[0,1,1]]})";
  const Model unknown = Model::read(path);
  CHECK(unknown.sense() == Model::minimise);
  CHECK_FALSE(unknown.known_optimum());
  CHECK_FALSE(Model().known_optimum());
  CHECK(knapsack().sense() == Model::maximise);
  CHECK(knapsack().name(2) == "c");
  CHECK(std::string(version()) == CHAINMAIL_VERSION);
}

TEST_CASE("models are values: a copy goes its own way") {
  Model first = knapsack();
  Model copy = first;
  const auto d = copy.add_binary("d");
  copy.add_linear(d, 100);
  CHECK(first.size() == 3);
  CHECK(copy.size() == 4);
  Options options;
  options.threads = 1;
  options.sweeps = 300;
  CHECK(solve(first, options).best.objective == 10);
  CHECK(solve(copy, options).best.objective == 110);
  first = copy;
  CHECK(first.size() == 4);
  const Model moved = std::move(first);
  CHECK(moved.name(d) == "d");
}

TEST_CASE("what goes wrong is a Failure that says what was expected") {
  CHECK(kind_of([] { Model::read("/no/such/file.lp"); }) == Failure::input);
  CHECK(kind_of([] { solve(Model()); }) == Failure::input);
  Model mixed;
  mixed.add_spin();
  CHECK(kind_of([&] { mixed.add_binary(); }) == Failure::usage);
  CHECK(kind_of([&] { mixed.add_constraint("c", {{0, 1.0}}, 0, 1); }) == Failure::usage);
  CHECK(kind_of([&] { mixed.add_linear(1, 1.0); }) == Failure::usage);
  CHECK(kind_of([&] { mixed.add_linear(0, NAN); }) == Failure::usage);
  CHECK(kind_of([&] { mixed.add_quadratic(0, 0, kInfinity); }) == Failure::usage);
  CHECK(kind_of([&] { evaluate(mixed, std::vector<std::int64_t>{0}); }) == Failure::usage);
  CHECK(kind_of([&] { evaluate(mixed, std::vector<std::int64_t>{}); }) == Failure::usage);
  Options options;
  options.device = "no-such-device";
  CHECK(kind_of([&] { solve(knapsack(), options); }) == Failure::usage);
  options.device = "uart:/no/such/terminal";
  CHECK(kind_of([&] { solve(knapsack(), options); }) == Failure::device);
  CHECK(kind_of([] { (void)knapsack().name(3); }) == Failure::usage);
  Model bits = knapsack();
  CHECK(kind_of([&] { bits.add_spin(); }) == Failure::usage);
  CHECK(kind_of([&] { bits.add_integer(3, 2, "x"); }) == Failure::usage);
  CHECK(kind_of([&] { bits.add_constant(NAN); }) == Failure::usage);
  const TemporaryFolder folder;
  std::ofstream(folder.file("p.lp")) << "Minimize\n x\nBinary\n x\nEnd\n";
  Model file = Model::read(folder.file("p.lp"));
  CHECK(kind_of([&] { file.add_binary(); }) == Failure::usage);
  Model twice = knapsack();
  twice.add_binary("a");
  CHECK(kind_of([&] { solve(twice); }) == Failure::input);
}

TEST_CASE("a run can be stopped and watched, and threads may solve at once") {
  Model model;
  for (int i = 0; i < 200; ++i) model.add_spin();
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t j = i + 1; j < 200; ++j) {
      model.add_quadratic(i, j, std::sin(static_cast<double>(i * 200 + j)));
    }
  }
  std::atomic<bool> stop{false};
  Options options;
  options.threads = 1;
  options.sweeps = 100'000'000;
  options.stop = &stop;
  options.progress = [&](const Status& status) {
    if (status.best) stop = true;
  };
  const Solution found = solve(model, options);
  CHECK(found.stopped_by == "interrupt");
  CHECK(found.best.objective < 0.0);

  options.stop = nullptr;
  options.progress = {};
  options.sweeps = 200;
  std::vector<Solution> all(3);
  std::vector<std::thread> threads;
  threads.reserve(all.size());
  for (Solution& one : all) threads.emplace_back([&] { one = solve(model, options); });
  for (std::thread& thread : threads) thread.join();
  CHECK(all[0].best.values == all[1].best.values);
  CHECK(all[0].best.values == all[2].best.values);
}

TEST_CASE("what is built is written, read and solved to the same bits") {
  const TemporaryFolder folder;
  Options options;
  options.threads = 1;
  options.sweeps = 100;
  const auto head = [](const std::string& json) { return json.substr(0, json.find("seconds")); };
  Model sorted, mixed;  // the same matrix, in order and not
  for (int i = 0; i < 12; ++i) sorted.add_binary(), mixed.add_binary();
  const auto q = [](std::size_t i, std::size_t j) {
    return std::sin(static_cast<double>(12 * i + j));
  };
  for (std::size_t i = 0; i < 12; ++i) {
    sorted.add_linear(i, q(i, i));
    for (std::size_t j = i + 1; j < 12; ++j) sorted.add_quadratic(i, j, q(i, j));
    for (std::size_t j = i + 1; j < 12; ++j) mixed.add_quadratic(11 - i, 11 - j, q(11 - j, 11 - i));
    mixed.add_quadratic(i, i, q(i, i));
  }
  const Solution found = solve(sorted, options);
  CHECK(head(solve(mixed, options).json()) == head(found.json()));
  mixed.compact();
  CHECK(head(solve(mixed, options).json()) == head(found.json()));
  sorted.write(folder.file("q.json"));
  CHECK(solve(Model::read(folder.file("q.json")), options).trace_csv() == found.trace_csv());
  CHECK_FALSE(sorted.spins());
  CHECK_FALSE(sorted.constrained());
  mixed.clear_objective();
  CHECK(evaluate(mixed, std::vector<std::int64_t>(12, 1)).objective == 0.0);

  const Model graph = Model::max_cut(3, {{0, 1, 2.0}, {1, 0, 1.0}, {1, 2, -1.0}, {2, 2, 9.0}});
  CHECK(solve(graph, options).best.objective == 3.0);
  CHECK(graph.spins());
  CHECK(kind_of([] { Model::max_cut(2, {{0, 2, 1.0}}); }) == Failure::usage);
  CHECK(kind_of([] { Model::max_cut(std::size_t{1} << 40, {}); }) == Failure::input);

  knapsack().write(folder.file("k.lp"));
  CHECK(Model::read(folder.file("k.lp")).constrained());
  CHECK(kind_of([&] { knapsack().write(folder.file("k.json")); }) == Failure::usage);
}

TEST_CASE("trials, starts and options as the command line has them") {
  Options options;
  options.threads = 1;
  options.sweeps = 300;
  options.trials = 3;
  const Solution found = solve(knapsack(), options);
  REQUIRE(found.trials.size() == 3);
  for (const Answer& answer : found.trials) CHECK(answer.objective <= found.best.objective);
  CHECK_THAT(found.summary(), Contains("feasible"));
  options.initial = {1, 0, 1};
  options.sweeps = 1;
  CHECK(solve(knapsack(), options).best.objective == 10);
  const auto refused = [&](const std::function<void(Options&)>& change) {
    Options wrong;
    change(wrong);
    return kind_of([&] { solve(knapsack(), wrong); }) == Failure::usage;
  };
  CHECK(refused([](Options& o) { o.initial = {1, 0}; }));
  CHECK(refused([](Options& o) { o.initial = {1, 0, 2}; }));
  CHECK(refused([](Options& o) { o.trials = 0; }));
  CHECK(refused([](Options& o) { o.time_limit = -1.0; }));
  CHECK(refused([](Options& o) { o.method = "best"; }));
  CHECK(refused([](Options& o) { o.penalties = {1.0}; }));
  // The same ranges as on the command line, in words.
  const auto told = [&](const std::function<void(Options&)>& change) {
    Options wrong;
    change(wrong);
    try {
      solve(knapsack(), wrong);
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
    return std::string("nothing was thrown");
  };
  CHECK_THAT(told([](Options& o) { o.copies = 65; }), Contains("copies: expected 1 to 64"));
  CHECK_THAT(told([](Options& o) { o.rows = 1001; }), Contains("rows: expected 0 to 1000"));
  CHECK_THAT(told([](Options& o) { o.columns = 1001; }), Contains("columns: expected 0 to 1000"));
  CHECK_THAT(told([](Options& o) { o.beta0 = kInfinity; }), Contains("beta0: expected 0 or more"));
  CHECK_THAT(told([](Options& o) { o.time_limit = NAN; }), Contains("expected 0 or more"));
  CHECK_THAT(told([](Options& o) { o.device_timeout = 1e7; }), Contains("0.1 to 1000000"));
  CHECK_THAT(told([](Options& o) { o.moves = "worm"; }), Contains("single, chain, not 'worm'"));
  Options spoken;
  spoken.solutions = 2;
  Model spins;
  spins.add_spin();
  spins.add_spin();
  spins.add_quadratic(0, 1, 1.0);
  CHECK(solve(spins, spoken).others.size() == 1);
  CHECK_THAT(devices().front(), Contains("cpu"));
}
