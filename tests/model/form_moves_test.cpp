// Every move keeps the Boltzmann distribution exactly: grids of replicas with swaps against
// enumeration, move by move and all together. Repair chains do not, and the test shows it.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "device/device.hpp"
#include "grid/replica_grid.hpp"
#include "grid/sampler.hpp"
#include "model/forms.hpp"
#include "model/model_files.hpp"

using namespace chainmail;

namespace {

// Two families of one-hots (swaps), a row of both signs and an equation over free bits (exchanges),
// a clash between free bits (edges) and one with a group's bit, a soft row over both, couplings of
// all kinds.
const char* kModel =
    "Minimize\n obj: 2 a1 - b2 + 1.5 c3 - 2 x + y - z + [ 4 a1 * b2 - 6 a2 * c3 + 2 x * y - 4 z * "
    "b1"
    " + 2 w * x ] / 2\n"
    "Subject To\n p: a1 + a2 + a3 = 1\n q: b1 + b2 + b3 = 1\n r: c1 + c2 + c3 = 1\n"
    " s: a1 + b1 + c1 = 1\n t: a2 + b2 + c2 = 1\n u: a3 + b3 + c3 = 1\n"
    " k: 3 x + 2 y + 4 z - w + 2 c1 <= 5\n e: x + y + z + w = 2\n"
    " v: x + z <= 1\n n: y + a3 <= 1\n h: x + 2 y - z + a2 + 3 c3 <= 2\n"
    "Soft Constraints\n h 0.75\n"
    "Binary\n a1 a2 a3 b1 b2 b3 c1 c2 c3 x y z w\nEnd\n";

// Without prices bits and groups are processed in blocks, with them one by one.
std::string without_soft_row(std::string text) {
  const std::size_t row = text.find(" h: ");
  text.erase(row, text.find('\n', row) + 1 - row);
  const std::string prices = "Soft Constraints\n h 0.75\n";
  return text.erase(text.find(prices), prices.size());
}

// Products of three and four: of free bits, with bits of groups, of spins, and of both kinds.
const char* kHigher =
    "Minimize\n obj: 2 a1 - b2 - 2 x + y + p - q + [ 4 a1 * b2 - 6 x * y * a1 + 4 x * y * w + 3 a2 "
    "* "
    "b1 * w - 5 a2 * b2 * x * w + 9 a1 * a2 * w + 2 p * q * r + 3 p * q * r * t - 4 q * r * t + 2 "
    "p * q * x * y ] "
    "/ 2\n"
    "Subject To\n g: a1 + a2 = 1\n k: b1 + b2 + b3 = 1\n s: a1 + b1 <= 1\n"
    " e: x + y + w + p + q = 2\n v: x + w <= 1\n h: p + q + r + t + x <= 1\n"
    "Soft Constraints\n h 0.75\n"
    "Binary\n a1 a2 b1 b2 b3 x y w\nSpins\n p q r t\nEnd\n";

std::uint64_t key_of(std::span<const Bit> x) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < x.size(); ++i) key |= std::uint64_t{x[i]} << i;
  return key;
}

using Distribution = std::map<std::uint64_t, double>;

Distribution exact(const FormModel& m, const Parameters& at) {
  Distribution all;
  double total = 0.0;
  std::vector<Bit> x(m.bits);
  for (std::uint64_t key = 0; key < (std::uint64_t{1} << m.bits); ++key) {
    bool grouped = true;
    for (std::size_t i = 0; i < m.bits; ++i) x[i] = (key >> i) & 1U;
    for (std::size_t group = 0; group < m.groups.size() && grouped; ++group) {
      int ones = 0;
      for (std::uint32_t bit : m.groups[group]) ones += x[bit];
      grouped = ones == 1;
    }
    if (!grouped) continue;
    const double weight = std::exp(-at.beta * m.f(x) - at.beta_penalty * m.g(x));
    all[key] = weight;
    total += weight;
  }
  for (auto& [key, weight] : all) weight /= total;
  return all;
}

PhysicalModel physical(const FormModel& model) {
  PhysicalModel physical;
  physical.forms = std::make_shared<FormModel>(model);
  return physical;
}

// Half the sum of differences, the worst over the cells of a 2 x 2 grid.
double worst_distance(const std::string& model, const FormMoves& moves, std::uint64_t rounds) {
  const CompiledForms forms = compile_forms(parse_model(model, "t.lp", ModelFormat::lp));
  const FormModel& m = forms.model;
  REQUIRE(m.groups.size() >= 2);
  REQUIRE(m.free_bits.size() >= 4);
  std::vector<Parameters> cells;
  for (double beta : {0.4, 0.8}) {
    for (double penalty : {0.8, 2.0}) cells.push_back({beta, beta * penalty});
  }
  const auto device = make_device({"cpu", 1});
  device->load(physical(m), {.replicas = cells.size(), .seed = 5, .moves = moves});
  ReplicaGrid grid(2, 2, cells, SwapSets::all, true, 6);
  std::vector<Distribution> seen(cells.size());
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    device->submit(0, grid.parameters(), 2, round);
    const BurstResult& burst = device->wait(0);
    grid.swap_round(round, burst.f, burst.g);
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const std::size_t replica = grid.replica_at(cell / 2, cell % 2);
      const std::vector<Bit> bits = bits_of(device->read_spins(0, replica));
      seen[cell][key_of(bits)] += 1.0 / static_cast<double>(rounds);
      if (round % 1000 != 0) continue;
      REQUIRE(burst.f[replica] == Approx(m.f(bits)).margin(1e-9));
      REQUIRE(burst.g[replica] == Approx(m.g(bits)).margin(1e-9));
      REQUIRE((burst.g[replica] == 0.0) == (m.violated(bits) == 0));
      if (!std::isfinite(burst.best_f[replica])) continue;
      const std::vector<Bit> best = bits_of(device->read_spins(0, replica, Which::best));
      REQUIRE(m.violated(best) == 0);
      REQUIRE(burst.best_f[replica] == Approx(m.f(best)).margin(1e-9));
    }
  }
  double worst = 0.0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    double distance = 0.0;
    for (const auto& [key, p] : exact(m, cells[cell])) {
      const auto found = seen[cell].find(key);
      distance += 0.5 * std::abs(p - (found == seen[cell].end() ? 0.0 : found->second));
    }
    worst = std::max(worst, distance);
  }
  return worst;
}

std::vector<Parameters> cells_of(const Ladder& ladder) {
  std::vector<Parameters> cells;
  for (double beta : ladder.beta) {
    for (double penalty : ladder.penalty) cells.push_back({beta, beta * penalty});
  }
  return cells;
}

}  // namespace

TEST_CASE("samples of a model follow the exact distribution in every cell") {
  const CompiledForms forms = compile_forms(parse_model(kModel, "t.lp", ModelFormat::lp));
  Ladder ladder;
  ladder.beta = {0.3, 0.9};
  ladder.penalty = {0.5, 2.0};
  SampleOptions options;
  options.rounds = 100000;
  options.sweeps_per_swap = 2;
  Embedding embedding;
  embedding.model = physical(forms.model);
  embedding.logical = forms.model.bits;
  const auto device = make_device({"cpu", 1});
  std::vector<Distribution> seen(4);
  const std::atomic<bool> stop{false};
  sample(embedding, ladder, *device, options, stop, [&](const SampleRound& round) {
    for (std::size_t cell = 0; cell < 4; ++cell) {
      const std::size_t replica = round.grid.replica_at(cell / 2, cell % 2);
      seen[cell][key_of(bits_of(round.device.read_spins(0, replica)))] +=
          1.0 / static_cast<double>(options.rounds);
    }
  });
  for (std::size_t cell = 0; cell < 4; ++cell) {
    double distance = 0.0;
    for (const auto& [key, p] : exact(forms.model, cells_of(ladder)[cell])) {
      distance += 0.5 * std::abs(p - seen[cell][key]);
    }
    CHECK(distance < 0.03);
  }
}

TEST_CASE("each move keeps the Boltzmann distribution, with swaps between replicas") {
  constexpr std::uint64_t kRounds = 150000;
  constexpr double kNoise = 0.025;  // 432 states: what so many samples leave
  for (const std::string& model : {std::string(kModel), without_soft_row(kModel)}) {
    CHECK(worst_distance(model, {0.0, 0.0, 0.0}, kRounds) < kNoise);
    CHECK(worst_distance(model, {2.0, 0.0, 0.0}, kRounds) < kNoise);
    CHECK(worst_distance(model, {0.0, 2.0, 0.0}, kRounds) < kNoise);
    CHECK(worst_distance(model, {1.0, 1.0, 0.0}, kRounds) < kNoise);
  }
}

TEST_CASE("each move keeps it with products of three and four bits and spins") {
  constexpr std::uint64_t kRounds = 150000;
  constexpr double kNoise = 0.035;  // 768 states
  for (const std::string& model : {std::string(kHigher), without_soft_row(kHigher)}) {
    const FormModel m = compile_forms(parse_model(model, "t.lp", ModelFormat::lp)).model;
    REQUIRE(std::any_of(m.monomial_values.begin(), m.monomial_values.end(),
                        [](const MonomialValue& value) { return value.spins != 0; }));
    REQUIRE(std::any_of(m.monomial_values.begin(), m.monomial_values.end(),
                        [](const MonomialValue& value) { return value.spins == 0; }));
    CHECK(worst_distance(model, {0.0, 0.0, 0.0}, kRounds) < kNoise);
    CHECK(worst_distance(model, {2.0, 0.0, 0.0}, kRounds) < kNoise);
    CHECK(worst_distance(model, {0.0, 2.0, 0.0}, kRounds) < kNoise);
    CHECK(worst_distance(model, {1.0, 1.0, 0.0}, kRounds) < kNoise);
    worst_distance(model, {1.0, 1.0, 1.0}, 5000);  // f is right after repair chains too
  }
}

TEST_CASE("repair chains are not sampled with: they do not keep it") {
  CHECK(worst_distance(kModel, {0.0, 0.0, 2.0}, 50000) > 0.05);
}

namespace {

// Each of 60 longs is hedged by one short, of which 20 pairs gain; any other pair and any single
// one costs, and all are coupled.
FormModel hedges() {
  std::string f, risk, longs, shorts, names;
  for (int i = 0; i < 60; ++i) {
    f += fmt::format(" + {} a{} + 30 b{}", i < 20 ? 20 : 45, i, i);
    risk += fmt::format(" - 120 a{} * b{}", i, i);
    for (int j = 0; j < i; ++j) risk += fmt::format(" + 0.0001 a{} * a{}", i, j);
    longs += fmt::format(" + a{}", i);
    shorts += fmt::format(" - b{}", i);
    names += fmt::format(" a{} b{}", i, i);
  }
  const std::string text =
      fmt::format("Minimize\n o:{} + [{} ] / 2\nSubject To\n e:{}{} = 0\nBinary\n{}\nEnd\n", f,
                  risk, longs, shorts, names);
  return compile_forms(parse_model(text, "t.lp", ModelFormat::lp)).model;
}

BurstResult burst_of(const FormModel& model, const Parameters& at, std::uint64_t sweeps) {
  const auto device = make_device({"cpu", 1});
  device->load(physical(model),
               {.replicas = 1, .seed = 3, .moves = {0.0, 0.0, 0.5}, .moments = true});
  device->submit(0, std::vector<Parameters>{at}, sweeps, 1);
  return device->wait(0);
}

}  // namespace

TEST_CASE("a bit finds the partner that suits it among all of a long row") {
  const FormModel model = hedges();
  REQUIRE(model.bits == 120);
  CHECK(burst_of(model, {1.0, 100.0}, 12).f[0] == Approx(-200.0).margin(0.1));
}

TEST_CASE("chains rest while every second flip raises the energy") {
  const FormModel model = hedges();
  CHECK(burst_of(model, {1e-9, 1e-9}, 10).moments[0].proposals == 1200);
  CHECK(burst_of(model, {1.0, 100.0}, 10).moments[0].proposals > 1500);
}
