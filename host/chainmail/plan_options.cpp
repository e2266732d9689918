#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chainmail/content.hpp"
#include "ladder/ladder_file.hpp"
#include "report/grouping.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

void expect(bool holds, const std::string& what) {
  if (!holds) throw UsageError(what);
}

void check(const std::string& name, const OptionInfo::Limits& limits, double value) {
  expect(std::isfinite(value) && value >= limits.low && value <= limits.high,
         std::isinf(limits.low) ? fmt::format("{}: expected a finite number", name)
         : std::isinf(limits.high)
             ? fmt::format("{}: expected {} or more", name, limits.low)
             : fmt::format("{}: expected {} to {}", name, limits.low, limits.high));
}
void check(const std::string& name, const OptionInfo::Limits& limits, std::uint64_t value) {
  check(name, limits, static_cast<double>(value));
}
void check(const std::string& name, const OptionInfo::Limits& limits,
           const std::optional<double>& value) {
  if (value) check(name, limits, *value);
}
void check(const std::string& name, const OptionInfo::Limits& limits, const std::string& value) {
  const auto& choices = limits.choices;
  expect(choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end(),
         fmt::format("{}: expected one of {}, not '{}'", name, fmt::join(choices, ", "), value));
}
void check(const std::string&, const OptionInfo::Limits&, bool) {}
void check(const std::string&, const OptionInfo::Limits&, const std::vector<double>&) {}

// The command line has checked values against the table before; a caller of the library has not.
void check(const Options& options) {
  for (const OptionInfo& option : option_table()) {
    std::visit([&](auto field) { check(option.name, option.limits, options.*field); },
               option.field);
  }
  expect(options.schedule.empty() || options.betas.empty(),
         "--schedule and --betas exclude each other");
  expect(options.penalties.empty() || !options.betas.empty(), "--penalties needs --betas");
  grouping_from(options.group);
}

}  // namespace

PlanOptions plan_options(const Options& options) {
  check(options);
  PlanOptions wanted;
  wanted.device.name = options.device;
  wanted.device.threads = static_cast<unsigned>(options.threads);
  wanted.device.precision = options.precision;
  wanted.device.moves = options.moves;
  wanted.device.xclbin = options.xclbin;
  wanted.device.timeout = options.device_timeout;
  wanted.device.latency = options.emulate_latency;
  wanted.device.tiles = options.tiles;
  wanted.device.mixed = options.mixed;
  wanted.copies = options.copies;
  if (options.placement != "auto") wanted.placement = placement_from_name(options.placement);
  wanted.seed = options.seed;
  if (options.sweeps > 0) wanted.sweeps = options.sweeps;
  if (options.sweeps_per_swap > 0) wanted.sweeps_per_swap = options.sweeps_per_swap;
  if (options.swap_sets != "auto") wanted.swap_sets = swap_sets_from_name(options.swap_sets);
  if (options.method != "auto") wanted.method = method_from_name(options.method);
  if (options.exact != "auto") wanted.exact = options.exact == "on";
  wanted.penalty = options.penalty;
  wanted.time_limit = options.time_limit;
  wanted.target = options.target;
  wanted.solutions = options.solutions;
  wanted.trials = options.trials;
  wanted.stop_at_optimum = !options.no_stop;
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
  wanted.pilot.beta0 = options.beta0;
  wanted.pilot.penalty0 = options.penalty0;
  wanted.pilot.chains = options.pilot_chains;
  wanted.pilot.warmup = options.pilot_warmup;
  wanted.pilot.samples = options.pilot_samples;
  wanted.rehearsal_sweeps = options.rehearsal;
  return wanted;
}

}  // namespace chainmail
