// The vector loops of the form engine: what they compute, and the same numbers on every instruction
// set, up to whole runs.
#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include "../every_target.hpp"
#include "device/cpu/form_kernels.hpp"
#include "generate/models.hpp"
#include "report/json.hpp"
#include "run/plan.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

std::vector<double> numbers(std::size_t count, std::uint64_t seed) {
  std::vector<double> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(unit_interval(hash_of(seed, {k})));
  return all;
}

std::string story_of(const ConstrainedModel& model) {
  const std::atomic<bool> never{false};
  const Source source = source_of(model, "test");
  PlanOptions options;
  options.device.threads = 1;
  options.sweeps = 60;
  const auto device = open_device(source, options);
  Result result = run(plan(source, options, *device, never), *device, never);
  result.device.clear();  // it names the instruction set
  return to_json_without_timings(result);
}

}  // namespace

TEST_CASE("logarithms and Boltzmann weights are right to 1e-14") {
  test::on_every_target([](std::int64_t) {
    std::vector<double> u = numbers(64 * 500, 1);
    u[0] = 0.0;
    u[1] = 1.0 - 0x1p-53;  // the largest there is
    std::vector<double> logs = u;
    minus_log(logs.data(), logs.size());
    for (std::size_t k = 0; k < u.size(); ++k) {
      REQUIRE(logs[k] == Approx(-std::log(1.0 - u[k])).epsilon(1e-14).margin(1e-16));
    }
    for (std::size_t count : {1, 2, 3, 5, 8, 13, 64, 101}) {
      std::vector<double> energies = numbers(count, 2 + count);
      for (double& energy : energies) energy = 60.0 * energy - 7.0;
      energies[0] = -7.0;
      std::vector<double> weights = energies;
      boltzmann_weights(weights.data(), count, 0.9, -7.0);
      for (std::size_t k = 0; k < count; ++k) {
        const double x = 0.9 * (energies[k] + 7.0);
        REQUIRE(weights[k] ==
                (x > 44.0 ? Approx(0.0).margin(0.0) : Approx(std::exp(-x)).epsilon(1e-14)));
      }
    }
  });
}

TEST_CASE("form kernels and runs give the same bits on every instruction set") {
  GenerateOptions knapsack, jobs;
  knapsack.n = 40;
  jobs.n = 12;
  std::vector<std::vector<double>> logs, weights, rows;
  std::vector<std::string> stories;
  const std::size_t targets = test::on_every_target([&](std::int64_t) {
    logs.push_back(numbers(64, 3));
    minus_log(logs.back().data(), 64);
    weights.push_back(numbers(37, 4));
    boltzmann_weights(weights.back().data(), 37, 30.0, 0.0);
    rows.push_back(numbers(41, 5));
    add_row(rows.back().data(), numbers(41, 6).data(), -1.0, 41);
    stories.push_back(story_of(make_qkp(knapsack)) + story_of(make_assignment(jobs)));
  });
  for (std::size_t k = 1; k < targets; ++k) {
    CHECK(logs[k] == logs[0]);
    CHECK(weights[k] == weights[0]);
    CHECK(rows[k] == rows[0]);
    CHECK(stories[k] == stories[0]);
  }
}
