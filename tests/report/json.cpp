// The JSON result: every promised field, exact values, and timings kept separate.
#include "report/json.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/trace.hpp"
#include "sample.hpp"

using namespace chainmail;
using test::sample_result;
using Json = nlohmann::json;

TEST_CASE("the result reads back with every stable field", "[report][json]") {
  const Result r = sample_result({.trials = 3});
  const Json json = Json::parse(to_json(r));
  CHECK(json.at("format") == "chainmail-result");
  CHECK(json.at("format_version") == 1);
  CHECK(json.at("problem") == r.problem);
  CHECK(json.at("spins") == 50);
  CHECK(json.at("energy") == r.best.energy);
  CHECK(json.at("objective") == r.objective);
  CHECK(json.at("feasible") == true);
  CHECK(json.at("g") == 0.0);
  CHECK(json.at("violations") == Json::array());
  CHECK(json.at("solution").get<std::vector<int>>() ==
        std::vector<int>(r.best.solution.begin(), r.best.solution.end()));
  CHECK(json.at("known_optimum") == *r.known_optimum);
  CHECK(json.at("residual_per_spin") == 0.0);
  CHECK(json.at("method") == "2dpt");
  CHECK(json.at("device") == r.device);
  CHECK(json.at("seed") == 1);
  CHECK(json.at("sweeps") == 102400);
  CHECK(json.at("sweeps_per_swap") == 50);
  CHECK(json.at("updates") == r.updates);
  CHECK(json.at("seconds") == r.seconds);
  CHECK(json.at("tune_seconds") == r.tune_seconds);
  CHECK(json.at("updates_per_ns") == r.updates_per_ns);
  CHECK(json.at("peak_memory_kib") == 36120);
  CHECK(json.at("rows") == 14);
  CHECK(json.at("columns") == 9);
  CHECK(json.at("beta").get<std::vector<double>>() == r.ladder.beta);
  CHECK(json.at("penalty").get<std::vector<double>>() == r.ladder.penalty);
  CHECK(json.at("acceptance_beta").get<std::vector<std::vector<double>>>() == r.acceptance_beta);
  CHECK(json.at("acceptance_penalty").get<std::vector<std::vector<double>>>() ==
        r.acceptance_penalty);
  CHECK(json.at("round_trips") == 218);
  CHECK(json.at("best_found_at_sweep") == 36850);
  CHECK(json.at("copies") == 3);
  CHECK(json.at("pbits") == 150);
  CHECK(json.at("placement") == "alt");
  CHECK(json.at("stopped_by") == "sweeps");
  CHECK(json.at("answer_feasible_rate") == 0.874);
  CHECK(json.at("trials") == 3);
  REQUIRE(json.at("per_trial").size() == 3);
  CHECK(json.at("per_trial")[2].at("energy") == r.per_trial[2].energy);
  CHECK(json.at("per_trial")[2].at("found_at_sweep") == r.per_trial[2].found_at_sweep);
}

TEST_CASE("a seed and a count of 64 bits survive", "[report][json]") {
  Result r = sample_result();
  r.seed = r.updates = std::numeric_limits<std::uint64_t>::max();
  const Json json = Json::parse(to_json(r));
  CHECK(json.at("seed").get<std::uint64_t>() == r.seed);
  CHECK(json.at("updates").get<std::uint64_t>() == r.updates);
}

TEST_CASE("two runs differ only in the timing fields", "[report][json]") {
  const Result first = sample_result();
  Result second = first;
  second.seconds *= 1.1;
  second.tune_seconds *= 1.2;
  second.updates_per_ns /= 1.1;
  second.peak_memory_kib += 64;
  CHECK(to_json(first) != to_json(second));
  CHECK(to_json_without_timings(first) == to_json_without_timings(second));
  second.best.energy += 1e-12;
  CHECK(to_json_without_timings(first) != to_json_without_timings(second));

  Json all = Json::parse(to_json(first));
  for (const char* key : {"seconds", "tune_seconds", "updates_per_ns", "peak_memory_kib"})
    CHECK(all.erase(key) == 1);
  CHECK(all == Json::parse(to_json_without_timings(first)));
}

TEST_CASE("what is no number is null, what is not UTF-8 is replaced", "[report][json]") {
  Result r = sample_result();
  r.acceptance_beta[0][0] = std::numeric_limits<double>::quiet_NaN();
  r.best.energy = std::numeric_limits<double>::infinity();
  r.known_optimum.reset();
  r.residual_per_spin.reset();
  r.problem = "bad \xff byte";
  const std::string text = to_json(r);
  const Json json = Json::parse(text);
  CHECK(json.at("acceptance_beta")[0][0].is_null());
  CHECK(json.at("energy").is_null());
  CHECK(json.at("known_optimum").is_null());
  CHECK(json.at("residual_per_spin").is_null());
  CHECK(json.at("problem") == "bad \uFFFD byte");
}

TEST_CASE("an infeasible answer lists its violation", "[report][json]") {
  Result r = sample_result();
  r.best.feasible = false;
  r.best.g = 4.0;
  const Json json = Json::parse(to_json(r));
  CHECK(json.at("feasible") == false);
  REQUIRE(json.at("violations").size() == 1);
  CHECK(json.at("violations")[0].at("amount") == 4.0);
}

TEST_CASE("an empty result is still JSON", "[report][json]") {
  const Json json = Json::parse(to_json(Result{}));
  CHECK(json.at("solution") == Json::array());
  CHECK(json.at("acceptance_beta") == Json::array());
}

TEST_CASE("the trace is CSV that reads back exactly", "[report][trace]") {
  Result r;
  r.trace = {{50, -1.0 / 3.0, 2.0, std::nullopt}, {100, 1e300, 0.0, -0.1}};
  CHECK(to_csv(r) == "sweep,energy,g,best\n50,-0.3333333333333333,2,\n100,1e+300,0,-0.1\n");
  r.trace.clear();
  CHECK(to_csv(r) == "sweep,energy,g,best\n");
}
