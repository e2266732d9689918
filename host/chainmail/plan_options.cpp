#include <algorithm>
#include <cmath>

#include "chainmail/content.hpp"
#include "ladder/ladder_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

void expect(bool holds, const std::string& what) {
  if (!holds) throw UsageError(what);
}

// The command line's table of options has checked these before; here nothing has.
void check(const Options& o) {
  const auto span = [](double value, double low) { return value >= low && std::isfinite(value); };
  expect(span(o.time_limit, 0.0), "time_limit: expected seconds, 0 or more");
  expect(span(o.device_timeout, 0.1), "device_timeout: expected seconds, 0.1 or more");
  expect(o.trials >= 1 && o.trials <= 1'000'000, "trials: expected 1 to 1000000");
  expect(o.solutions >= 1 && o.solutions <= 10'000, "solutions: expected 1 to 10000");
  expect(o.copies >= 1 && o.copies <= 64, "copies: expected 1 to 64");
  expect(o.threads <= 1024, "threads: expected 0 to 1024");
  expect(o.rows <= 1000 && o.columns <= 1000, "rows, columns: expected 0 to 1000");
  expect(!o.target || std::isfinite(*o.target), "target: expected a finite number");
  expect(!o.penalty || std::isfinite(*o.penalty), "penalty: expected a finite number");
  expect(!o.beta0 || span(*o.beta0, 0.0), "beta0: expected 0 or more");
  expect(!o.penalty0 || span(*o.penalty0, 0.0), "penalty0: expected 0 or more");
  expect(o.schedule.empty() || o.betas.empty(), "schedule and betas exclude each other");
  expect(o.penalties.empty() || !o.betas.empty(), "penalties needs betas");
  const auto one_of = [](const std::string& value, std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), value) != names.end();
  };
  expect(one_of(o.precision, {"auto", "int8", "cached", "lanes", "float"}),
         "precision: expected auto, int8, cached, lanes or float, not '" + o.precision + "'");
  expect(one_of(o.moves, {"single", "chain"}),
         "moves: expected single or chain, not '" + o.moves + "'");
}

}  // namespace

PlanOptions plan_options(const Options& options) {
  check(options);
  PlanOptions wanted;
  wanted.device.name = options.device;
  wanted.device.threads = options.threads;
  wanted.device.precision = options.precision;
  wanted.device.moves = options.moves;
  wanted.device.xclbin = options.xclbin;
  wanted.device.timeout = options.device_timeout;
  wanted.copies = options.copies;
  if (options.placement != "auto") wanted.placement = placement_from_name(options.placement);
  wanted.seed = options.seed;
  if (options.sweeps > 0) wanted.sweeps = options.sweeps;
  if (options.sweeps_per_swap > 0) wanted.sweeps_per_swap = options.sweeps_per_swap;
  if (options.swap_sets != "auto") wanted.swap_sets = swap_sets_from_name(options.swap_sets);
  if (options.method != "auto") wanted.method = method_from_name(options.method);
  wanted.penalty = options.penalty;
  wanted.time_limit = options.time_limit;
  wanted.target = options.target;
  wanted.solutions = options.solutions;
  wanted.trials = options.trials;
  wanted.checkpoint = options.checkpoint;
  if (options.ladder != "auto") wanted.ladder = ladder_kind_from_name(options.ladder);
  if (!options.schedule.empty()) wanted.given_ladder = read_ladder(options.schedule);
  if (!options.betas.empty()) {
    wanted.given_ladder = ladder_by_hand(options.betas, options.penalties, "betas, penalties");
  }
  wanted.rows = options.rows;
  wanted.columns = options.columns;
  wanted.literal = options.literal;
  wanted.plain_penalty = options.plain_penalty;
  wanted.pilot.beta0 = options.beta0.value_or(wanted.pilot.beta0);
  wanted.pilot.penalty0 = options.penalty0.value_or(wanted.pilot.penalty0);
  return wanted;
}

}  // namespace chainmail
