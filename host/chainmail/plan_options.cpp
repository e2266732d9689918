#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chainmail/content.hpp"
#include "ladder/ladder_file.hpp"
#include "run/option_ranges.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

void expect(bool holds, const std::string& what) {
  if (!holds) throw UsageError(what);
}

// A range without an end is "0 or more".
template <class Number>
void expect(const char* name, Number value, const Range<Number>& range) {
  const auto high = static_cast<double>(range.high);
  expect(range.holds(value),
         std::isinf(high) ? fmt::format("{}: expected {} or more", name, range.low)
                          : fmt::format("{}: expected {} to {}", name, range.low, range.high));
}

void expect(const char* name, const std::string& value, const std::vector<std::string>& choices) {
  expect(std::find(choices.begin(), choices.end(), value) != choices.end(),
         fmt::format("{}: expected one of {}, not '{}'", name, fmt::join(choices, ", "), value));
}

// The command line's table of options has checked these before; here nothing has.
void check(const Options& o) {
  using namespace option_ranges;
  expect("time_limit", o.time_limit, positive);
  expect("device_timeout", o.device_timeout, device_timeout);
  expect("trials", std::uint64_t{o.trials}, trials);
  expect("solutions", std::uint64_t{o.solutions}, solutions);
  expect("copies", std::uint64_t{o.copies}, copies);
  expect("threads", std::uint64_t{o.threads}, threads);
  expect("rows", std::uint64_t{o.rows}, rungs);
  expect("columns", std::uint64_t{o.columns}, rungs);
  expect(!o.target || std::isfinite(*o.target), "target: expected a finite number");
  expect(!o.penalty || std::isfinite(*o.penalty), "penalty: expected a finite number");
  if (o.beta0) expect("beta0", *o.beta0, positive);
  if (o.penalty0) expect("penalty0", *o.penalty0, positive);
  expect(o.schedule.empty() || o.betas.empty(), "schedule and betas exclude each other");
  expect(o.penalties.empty() || !o.betas.empty(), "penalties needs betas");
  expect("precision", o.precision, precisions);
  expect("moves", o.moves, moves);
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
