// What a run by rule does between its bursts: exchange of components against enumeration, descents,
// the search for the cold end, and that a run with all of it resumes to the same result.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "../states.hpp"
#include "../temporary_folder.hpp"
#include "generate/generate.hpp"
#include "grid/initial_states.hpp"
#include "ladder/geometric.hpp"
#include "report/json.hpp"
#include "solve/cold_end.hpp"
#include "solve/component_exchange.hpp"
#include "solve/quench.hpp"
#include "solve/solver.hpp"
#include "solve/trial.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

const std::atomic<bool> kNeverStop{false};

// A ladder of squares: components of differing spins are often smaller than the whole.
Quadratic small_lattice(bool fields) {
  Quadratic f(6);
  const double strength[] = {1.0, -0.7, 0.4, -1.1, 0.9, 0.6, -0.5};
  const std::uint32_t pairs[][2] = {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}};
  for (std::size_t k = 0; k < 7; ++k) {
    f.couplings.push_back({pairs[k][0], pairs[k][1], strength[k]});
  }
  if (fields) f.fields = {0.3, 0.0, -0.6, 0.2, 0.5, -0.1};
  f.normalise();
  return f;
}

std::vector<double> boltzmann(const Quadratic& f, double beta) {
  std::vector<double> p(64);
  double z = 0.0;
  for (unsigned s = 0; s < 64; ++s) z += p[s] = std::exp(-beta * f(test::state_of(s, 6)));
  for (double& x : p) x /= z;
  return p;
}

unsigned draw(const std::vector<double>& p, double u) {
  unsigned s = 0;
  while (s + 1 < p.size() && u >= p[s]) u -= p[s++];
  return s;
}

// Pairs drawn from the exact joint distribution, exchanged once: how far the outcome is from it, in
// standard deviations of chi squared. `told_a` and `told_b` are passed to the exchange.
double misfit(bool fields, double beta_a, double beta_b, double told_a, double told_b) {
  constexpr std::size_t kDraws = 400000;
  const Quadratic f = small_lattice(fields);
  const std::vector<double> pa = boltzmann(f, beta_a), pb = boltzmann(f, beta_b);
  ComponentExchange exchange(f);
  std::vector<double> counts(64 * 64);
  for (std::uint64_t k = 0; k < kDraws; ++k) {
    const unsigned a = draw(pa, unit_interval(hash_of(1, {k})));
    const unsigned b = draw(pb, unit_interval(hash_of(2, {k})));
    ComponentExchange::Pair pair{test::state_of(a, 6),    test::state_of(b, 6),   told_a, told_b,
                                 f(test::state_of(a, 6)), f(test::state_of(b, 6))};
    exchange(pair, hash_of(3, {k}));
    if (k < 1000) {
      CHECK(pair.f_a == Approx(f(pair.a)).margin(1e-12));
      CHECK(pair.f_b == Approx(f(pair.b)).margin(1e-12));
    }
    counts[test::number_of(pair.a) * 64 + test::number_of(pair.b)] += 1.0;
  }
  double chi = 0.0, cells = 0.0;
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      const double expected = kDraws * pa[a] * pb[b];
      if (expected < 10.0) continue;
      const double difference = counts[a * 64 + b] - expected;
      chi += difference * difference / expected;
      cells += 1.0;
    }
  }
  return (chi - cells) / std::sqrt(2.0 * cells);
}

}  // namespace

TEST_CASE("exchanging components keeps the joint Boltzmann distribution") {
  for (bool fields : {false, true}) {
    CHECK(std::abs(misfit(fields, 0.3, 0.8, 0.3, 0.8)) < 5.0);
    CHECK(std::abs(misfit(fields, 0.5, 0.5, 0.5, 0.5)) < 5.0);
    // The test notices a wrong sign.
    CHECK(misfit(fields, 0.3, 0.8, 0.8, 0.3) > 20.0);
  }
}

// A torus of rows x columns spins.
Quadratic torus(std::uint32_t rows, std::uint32_t columns) {
  Quadratic f(rows * columns);
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      f.couplings.push_back({i * columns + j, (i + 1) % rows * columns + j, 1.0});
      f.couplings.push_back({i * columns + j, i * columns + (j + 1) % columns, 1.0});
    }
  }
  f.normalise();
  return f;
}

TEST_CASE("lattices are told from random graphs, and flat ones from others") {
  GenerateOptions options;
  for (std::size_t side : {6, 8, 10, 14}) {
    options.n = side;
    CHECK(lattice_dimension(generate("ea3d", options).objective) > 2.4);
    CHECK(lattice_dimension(generate("ea3d", options).objective) < 3.3);
  }
  CHECK(lattice_dimension(torus(30, 30)) == Approx(2.0).margin(0.1));
  const double band = lattice_dimension(torus(100, 20));
  CHECK(band > 1.0);
  CHECK(band < 2.1);
  // A start at a spin without neighbours says nothing: three of four starts give 2.
  Quadratic lonely = torus(30, 30);
  std::erase_if(lonely.couplings, [](const auto& c) { return c.i == 0 || c.j == 0; });
  CHECK(lattice_dimension(lonely) == Approx(1.5).margin(0.1));
  options.n = 1000;
  options.degree = 6;
  CHECK(lattice_dimension(generate("maxcut", options).objective) == 0.0);
}

TEST_CASE("a quench ends in a local minimum whose f it tells, on every path") {
  GenerateOptions options;
  options.n = 90;
  for (const char* precision : {"cached", "int8", "float"}) {
    const Problem problem = generate("sk", options);
    const Embedding embedding = embed(problem, 1);
    const auto device = make_device({"cpu", 1, precision});
    device->load(embedding.model, {.grids = 1, .replicas = 5, .beta_min = 0.05, .beta_max = 0.5});
    const std::vector<Parameters> hot(5, device->quantise({0.05, 0.0}));
    const std::vector<std::size_t> all = {3, 0, 4, 1, 2};
    device->descend_after(0, all);
    device->submit(0, hot, 20, 1);
    const BurstResult burst = device->wait(0);
    REQUIRE(burst.descents.size() == (precision == std::string("cached") ? 5 : 0));
    Quench quench(embedding.model.f);
    for (std::size_t k = 0; k < 5; ++k) {
      const std::size_t replica = all[k];
      const std::vector<Spin> before = device->read_spins(0, replica);
      const Descent below =
          burst.descents.empty() ? quench(before, burst.f[replica]) : burst.descents[k];
      INFO(precision << " replica " << replica);
      CHECK(below.f < burst.f[replica]);
      CHECK(below.f == Approx(problem.objective(below.spins)));
      CHECK(problem.objective(before) == Approx(burst.f[replica]));  // on a copy
      for (std::size_t i = 0; i < below.spins.size(); ++i) {
        std::vector<Spin> flipped = below.spins;
        flipped[i] = static_cast<Spin>(-flipped[i]);
        CHECK(problem.objective(flipped) >= below.f - 1e-9);
      }
    }
  }
}

TEST_CASE("a ladder by rule spans the problem's field at equal ratios") {
  GenerateOptions options;
  options.n = 50;
  const PhysicalModel model = embed(generate("sk", options), 1).model;
  CHECK(rms_field(model.f) == Approx(7.0));  // 49 couplings of size 1
  const Ladder ladder = geometric_ladder(model);
  REQUIRE(ladder.rows() == 32);
  CHECK(ladder.beta.front() == Approx(1.0 / 7.0));
  CHECK(ladder.beta.back() == Approx(6.0 / 7.0));
  for (std::size_t k = 1; k < 32; ++k) {
    CHECK(ladder.beta[k] / ladder.beta[k - 1] == Approx(std::pow(6.0, 1.0 / 31.0)));
  }
}

TEST_CASE("a ladder by rule begins colder where fields weigh") {
  GenerateOptions options;
  options.n = 50;
  PhysicalModel model = embed(generate("sk", options), 1).model;
  const auto ends = [&](double field) {
    std::fill(model.f.fields.begin(), model.f.fields.end(), field);
    const Ladder ladder = geometric_ladder(model);
    const double unit = rms_field(model.f);
    return std::pair(unit * ladder.beta.front(), unit * ladder.beta.back());
  };
  const double quarter = std::sqrt(49.0 / 3.0);  // of all squares
  CHECK(ends(0.0).first == Approx(1.0));
  CHECK(ends(quarter).first == Approx(2.0));
  CHECK(ends(7.0).first == Approx(3.0));
  CHECK(ends(70.0).first == Approx(3.0));
  for (double field : {0.0, quarter, 7.0, 70.0}) CHECK(ends(field).second == Approx(6.0));
}

TEST_CASE("the cold end moves while descents shed too much, at ever rarer checks") {
  ColdEnd end;
  std::vector<std::uint64_t> moved;
  for (std::uint64_t sweep = 16; sweep <= 2000; sweep += 16) {
    end.add(sweep < 500 ? 10.0 : 1.0);  // 3 is the limit for 100 p-bits
    if (end.colder(sweep, 100)) moved.push_back(sweep);
  }
  CHECK(moved == std::vector<std::uint64_t>{64, 192, 448});
  CHECK(end.factor() == Approx(std::pow(1.25, 3)));
}

TEST_CASE("a run by rule resumes to the result of an uninterrupted one, on any threads") {
  GenerateOptions generated;
  generated.n = 6;
  const Problem problem = generate("ea3d", generated);
  const Embedding embedding = embed(problem, 1);
  const Ladder ladder = geometric_ladder(embedding.model);
  SolveOptions options;
  options.method = Method::pt;
  options.sweeps = 900;
  options.sweeps_per_swap = 2;
  options.swap_sets = SwapSets::all;
  options.search = {.quench_every = 16,
                    .quench_rows = 4,
                    .find_cold_end = true,
                    .exchange_every = 20,
                    .exchange_from = 1.5 * ladder.beta.front(),
                    .anneal_sweeps = 100};
  const auto run = [&](unsigned threads, const SolveObserver& observer,
                       const std::atomic<bool>& stop) {
    const auto device = make_device({"cpu", threads, "cached"});
    return solve(problem, embedding, ladder, *device, options, stop, observer);
  };
  const bool on = GENERATE(false, true);
  if (on) options.search.anneal_from = ladder.beta.front();
  const Result whole = run(1, {}, kNeverStop);
  // Anneals that go on end after 12, 100, 276, 628 sweeps, with four descents each.
  CHECK((on ? whole.quenches == 16 : whole.quenches > 100));
  CHECK((on ? whole.exchanges == 0 : whole.exchanges > 10));
  const auto alike = [](Result result) {
    result.device.clear();  // contains the number of threads
    return to_json_without_timings(result);
  };
  CHECK(alike(run(3, {}, kNeverStop)) == alike(whole));
  for (int rounds_before_stop : {3, 11, 13, 100, on ? 110 : 300}) {
    TemporaryFolder folder;
    options.checkpoint = folder.file("run.checkpoint");
    std::atomic<bool> stop{false};
    int rounds = 0;
    const Result part = run(
        1, [&](const SolveStatus&) { stop = ++rounds >= rounds_before_stop; }, stop);
    INFO("stopped after " << rounds << " rounds");
    CHECK(part.stopped_by == "interrupt");
    CHECK(alike(run(1, {}, kNeverStop)) == alike(whole));
  }
}

TEST_CASE("anneals that mend a state component by component beat anneals from anew") {
  GenerateOptions generated;
  generated.n = 20;
  const Problem problem = generate("ea3d", generated);
  const Embedding embedding = embed(problem, 1);
  const Ladder ladder = geometric_ladder(embedding.model, {.rows = 1});
  const auto run = [&](std::uint64_t seed, std::uint64_t mend_sweeps, unsigned threads) {
    SolveOptions options;
    options.method = Method::pt;
    options.seed = seed;
    options.sweeps = 4100;
    options.search = {.quench_every = 16,
                      .quench_rows = 1,
                      .anneal_sweeps = 160,
                      .anneal_from = 1.0 / rms_field(problem.objective),
                      .mend_sweeps = mend_sweeps};
    const auto device = make_device({"cpu", threads, "cached"});
    return solve(problem, embedding, ladder, *device, options, kNeverStop);
  };
  double mended = 0.0, anew = 0.0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Result result = run(seed, 100, 1);
    CHECK(result.best.energy == problem.objective(result.best.solution));
    // Anneals of 20, 160 and 640 sweeps and their mendings, up to sweep 100, 900 and 4,100.
    CHECK(result.quenches == 2 + 8 + 27);
    CHECK(result.exchanges > 20);
    mended += result.best.energy / 4.0;
    anew += run(seed, 0, 1).best.energy / 4.0;
  }
  CHECK(mended < 1.001 * anew);
  CHECK(run(1, 100, 3).best.solution == run(1, 100, 1).best.solution);
}

TEST_CASE("a ladder that mends in turns goes on from where it was") {
  GenerateOptions generated;
  generated.n = 300;
  generated.degree = 6;
  const Problem problem = generate("maxcut", generated);
  const Embedding embedding = embed(problem, 1);
  const Ladder ladder = geometric_ladder(embedding.model, {.rows = 8});
  SolveOptions options;
  options.method = Method::pt;
  options.sweeps_per_swap = 2;
  options.sweeps = 7400;
  options.search = {.quench_every = 16, .quench_rows = 1, .mend_sweeps = 100};
  const auto device = make_device({"cpu", 1});
  load_grids(*device, embedding, ladder, 1, options.seed, 0, 1.0, {}, 0.0);
  Trial trial(problem, embedding, ladder, options, 0, 0, *device);
  trial.write_initial_states();
  const auto states_at = [&](std::uint64_t sweeps) {
    while (trial.sweeps_done() < sweeps) {
      trial.start_burst();
      trial.finish_burst();
    }
    CHECK(trial.sweeps_done() == sweeps);
    const auto spins = trial.spins();
    return std::set<std::vector<Spin>>(spins.begin(), spins.end()).size();
  };
  // Turns of 2,000 and 4,000 sweeps, mended for 500 and 1,000.
  CHECK(states_at(1998) == 8);
  CHECK(states_at(2000) == 1);
  CHECK(states_at(2096) > 1);
  CHECK(states_at(2100) == 1);
  CHECK(states_at(2500) == 8);
  CHECK(states_at(6500) == 1);
  CHECK(states_at(7400) == 1);
  trial.settle();
  const TrialResult best = trial.record().best.best;
  CHECK(best.energy == problem.objective(best.solution));
}
