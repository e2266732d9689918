#include "cli/run_setup.hpp"

#include <csignal>
#include <limits>

#include "cli/progress.hpp"
#include "ladder/ladder_file.hpp"
#include "model/model_files.hpp"
#include "problem/files.hpp"
#include "run/form_run.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMaxLadder = option_ranges::rungs.high;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return interrupted;
}

void RunSetup::add_problem_options(OptionTable& table) {
  table.argument("FILE", file)
      .text("format", source_options_.format,
            "file format: detect, " + format_names() + "; models: " + model_format_names())
      .optional_count("colors", colors_, 1, 1000000, "col: how many colours a graph is to be given")
      .group("Embedding")
      .count("copies,k", copies_, option_ranges::copies,
             "copies per spin, for hardware with limited fan-in; 1: none")
      .text("placement", placement_,
            "where couplings meet: alt, balanced or packed [packed on cpu, else alt]");
}

void RunSetup::add_device_options(OptionTable& table) {
  DeviceOptions& device = options.device;
  table.group("Device")
      .text("device,d", device.name,
            "what runs the sweeps, several with commas between; 'chainmail devices' lists them")
      .count("tiles", tiles_, 1, 4096,
             "several devices or MPI ranks: parts of a grid that can run on different ones; the "
             "result depends on it, not on who runs them")
      .flag("mixed", device.mixed, "several devices: they may differ in arithmetic")
      .file("xclbin", device.xclbin, "device binary, for XRT boards; emulators have their own")
      .number("device-timeout", device.timeout, option_ranges::device_timeout,
              "seconds a device behind XRT or a serial port may take to answer")
      .text("emulate-latency", device.latency,
            "sw_emu, hw_emu: a card's way there and back, as launch=60us,sync=25us or u55c")
      .count("threads", threads_, option_ranges::threads,
             "CPU threads, 0: one per core; results do not depend on it")
      .choice("precision", device.precision, option_ranges::precisions,
              "the CPU's arithmetic: the fastest, tables, fields kept up to date, the fastest "
              "of many replicas side by side, floating point")
      .choice("moves", device.moves, option_ranges::moves,
              "resample single p-bits, or all copies of a spin at once (cpu only)")
      .count("seed,s", options.seed, 0, kNoLimit, "the same seed gives the same result")
      .flag("quiet,q", quiet, "no progress on the terminal");
}

void RunSetup::add_ladder_options(OptionTable& table) {
  PilotOptions& pilot = options.pilot;
  table.group("Ladder (found for the problem unless given)")
      .choice("ladder", ladder_, {"auto", "geometric", "window", "rigid", "paper"},
              "with copies: the penalties and rows that pay, chains that hardly break (for "
              "--moves chain), or all of the pilot's; auto chooses by --moves")
      .file("schedule", ladder_file_, "use the ladder saved by 'chainmail tune'")
      .optional_count("rows", rows_, 0, kMaxLadder,
                      "at most so many inverse temperatures [32 by rule, 20 by a pilot]")
      .optional_count("columns", columns_, 0, kMaxLadder,
                      "at most so many penalties [36 in a window, 240 replicas with rigid chains, "
                      "else 20]; by rule: so many ladders side by side [1, on small lattices of "
                      "three dimensions 4]")
      .flag("literal", options.literal, "the paper's ladder and cadence, for reproduction");
  table.group("Advanced: a ladder by hand, and the pilot that finds one")
      .numbers("betas", betas_, "inverse temperatures by hand, ascending; with --penalties")
      .numbers("penalties", penalties_, "penalties by hand, ascending [0]")
      .number("beta0", pilot.beta0, option_ranges::positive,
              "hottest inverse temperature, 0: from couplings")
      .number("penalty0", pilot.penalty0, option_ranges::positive,
              "lowest penalty, 0: from couplings")
      .number("alpha-beta", pilot.alpha_beta, 1e-3, 10, "step in beta, in units of 1/sigma(E)")
      .number("alpha-penalty", pilot.alpha_penalty, 1e-3, 10,
              "step in penalty, in units of 1/(beta sigma(g))")
      .number("sigma-min", pilot.sigma_min, 0, kInfinity,
              "rows end when sigma(E) falls below, 0: from couplings")
      .number("feasible-g", pilot.feasible_g, 0, kInfinity,
              "columns end when the coldest mean g falls below")
      .count("extra-columns", extra_columns_, 0, kMaxLadder, "columns added after that")
      .flag("plain-penalty", options.plain_penalty, "models: f + P g alone, without multipliers")
      .count("pilot-chains", pilot_chains_, 1, 4096, "chains at each point of the pilot")
      .count("pilot-warmup", pilot.warmup, 0, kNoLimit, "sweeps before measuring a point")
      .count("pilot-samples", pilot.samples, 2, kNoLimit, "sweeps measured at a point")
      .count("rehearsal", options.rehearsal_sweeps, 0, kNoLimit,
             "sweeps of a short run that adds rungs between pairs that hardly swap");
}

void RunSetup::settle() {
  source_options_.colors = colors_.value_or(0);
  options.copies = copies_;
  options.device.threads = static_cast<unsigned>(threads_);
  options.device.tiles = tiles_;
  options.rows = rows_.value_or(0);
  options.columns = columns_.value_or(0);
  options.pilot.chains = pilot_chains_;
  options.pilot.extra_columns = extra_columns_;
  if (!placement_.empty()) options.placement = placement_from_name(placement_);
  if (ladder_ != "auto") options.ladder = ladder_kind_from_name(ladder_);
  if (!ladder_file_.empty() && !betas_.empty()) {
    throw UsageError("--schedule and --betas exclude each other");
  }
  if (!penalties_.empty() && betas_.empty()) throw UsageError("--penalties needs --betas");
  if (!ladder_file_.empty()) options.given_ladder = read_ladder(ladder_file_);
  if (!betas_.empty())
    options.given_ladder = ladder_by_hand(betas_, penalties_, "--betas, --penalties");
}

Source RunSetup::read() const {
  return read_source(file, source_options_);
}

Plan RunSetup::plan_ladder(const Source& source, const Device& device) {
  options.method = Method::two_dimensional;  // 'solve' leaves columns out as its method asks
  options.reduce = false;                    // samples and ladders are of the whole problem
  Plan plan = plan_run(source, device);
  if (plan.cut_short) throw TuningStopped();
  if (plan.forms) {
    Progress progress(!quiet && !options.given_ladder, "tuning");
    plan.ladder =
        ladder_of_forms(plan, catch_interrupts(), [&](double fraction, const std::string& text) {
          progress.update(fraction, text);
          return true;
        });
  }
  return plan;
}

Plan RunSetup::plan_run(const Source& source, const Device& device) const {
  const std::atomic<bool>& stop = catch_interrupts();
  Progress progress(!quiet && !options.given_ladder, "tuning");
  return plan(source, options, device, stop, [&](double fraction, const std::string& text) {
    progress.update(fraction, text);
    return !stop;
  });
}

}  // namespace chainmail
