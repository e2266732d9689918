#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <limits>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/run_setup.hpp"
#include "report/format.hpp"
#include "reproduce/outcome.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

using namespace reproduce;

constexpr const char* kAbout =
    "Runs the paper's experiments and our own: curves with 95 % intervals as CSV, plots as\n"
    "SVG, and a verdict on each target.\n"
    "  fig1     energy and constraint relaxing over the grid of replicas, swap acceptance\n"
    "  fig2     divergence of a full adder through two copies from its exact distribution\n"
    "  fig3     residual energy of planted Wishart problems through three copies, every method\n"
    "  mimo     bit error rate of BPSK detection, 16x16 and 64x64\n"
    "  all      the four of them\n"
    "  summary  tables and verdicts of what is there already, as Markdown; runs nothing\n"
    "Every finished piece is kept below --out: Ctrl-C loses little, and the same command goes on.";
constexpr const char* kExamples =
    "  chainmail reproduce fig2 --out build/figures\n"
    "  chainmail reproduce fig3 --full --shard 2/8 --out /data/figures\n"
    "  chainmail reproduce fig2 --device sw_emu --instances 20\n";

struct Figure {
  const char* name;    // folder of its results
  const char* device;  // nothing: the requested one
  Outcome (*run)(const ExperimentOptions&, const std::atomic<bool>&, const TaskObserver&);
};
// The emulated ones run by `fig2 --device`; here for the summary.
constexpr Figure kFigures[] = {
    {"fig1", nullptr, reproduce_fig1},         {"fig2", nullptr, reproduce_fig2},
    {"fig2-sw_emu", "sw_emu", reproduce_fig2}, {"fig2-hw_emu", "hw_emu", reproduce_fig2},
    {"fig2-uart", "uart", reproduce_fig2},     {"fig3", nullptr, reproduce_fig3},
    {"mimo", nullptr, reproduce_mimo}};

void run_figure(const Figure& figure, const ExperimentOptions& options, bool quiet) {
  const auto start = std::chrono::steady_clock::now();
  Progress progress(!quiet, figure.name);
  const Outcome outcome = figure.run(
      options, catch_interrupts(),
      [&](double fraction, const std::string& text) { progress.update(fraction, text); });
  progress.finish();
  if (!outcome.markdown.empty()) fmt::print("{}\n", outcome.markdown);
  fmt::print("{}", verdicts(outcome.targets));
  if (outcome.missing > 0) {
    fmt::print("{}: {} records are missing; run the same command again to continue\n", figure.name,
               outcome.missing);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print("{}: {}\n\n", figure.name, duration_text(took.count()));
}

void summarise(const ExperimentOptions& options) {
  for (const Figure& figure : kFigures) {
    if (!std::filesystem::exists(std::filesystem::path(options.out) / figure.name)) continue;
    ExperimentOptions own = options;
    own.run = false;
    if (figure.device != nullptr) own.device = figure.device;
    const Outcome outcome = figure.run(own, catch_interrupts(), {});
    fmt::print("### {}\n\n{}\n", figure.name, outcome.markdown);
    for (const Target& target : outcome.targets) fmt::print("- {}", verdicts({target}));
    if (outcome.missing > 0) fmt::print("- {} records are missing\n", outcome.missing);
    fmt::print("\n");
  }
}

void read_shard(const std::string& text, ExperimentOptions& options) {
  const char* end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, options.shard);
  if (error == std::errc{} && slash != end && *slash == '/') {
    const auto [last, wrong] = std::from_chars(slash + 1, end, options.shards);
    if (wrong == std::errc{} && last == end && options.shard >= 1 &&
        options.shard <= options.shards) {
      return;
    }
  }
  throw UsageError("--shard: expected i/n with 1 <= i <= n, not '" + text + "'");
}

}  // namespace

int reproduce_command(const Arguments& arguments) {
  std::string what, shard = "1/1";
  bool quiet = false;
  ExperimentOptions options;
  options.reference = "../shared/reference";
  OptionTable table("reproduce fig1|fig2|fig3|mimo|all|summary [options]", kAbout, kExamples);
  constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  table.argument("WHAT", what)
      .text("out,o", options.out, "folder for records, CSV and SVG")
      .text("reference", options.reference, "folder with published curves, used where present")
      .count("instances", options.instances, 0, 1000000,
             "instances per size (fig2: chains), 0: what takes 40 minutes on two cores")
      .count("sweeps", options.sweeps, 0, kNoLimit, "the longest time, 0: the experiment's own")
      .numbers("sizes", options.sizes, "fig3: numbers of spins [40,50,60,70,80,90,100]")
      .flag("full", options.full, "the paper's 200 instances of 10 trials; takes days")
      .text("shard", shard,
            "i/n: run only the i-th of n parts; once all are done, run without it to collect them")
      .text("device,d", options.device, "fig2: what runs the sweeps")
      .count("seed,s", options.seed, 0, kNoLimit, "the same seed gives the same files")
      .count("threads", options.threads, 0, 1024, "0: one per core")
      .number("time-limit", options.time_limit, 0, std::numeric_limits<double>::infinity(),
              "start nothing new after this many seconds, 0: no limit")
      .flag("quiet,q", quiet, "no progress on the terminal");
  if (!table.parse(arguments)) return 0;
  read_shard(shard, options);
  if (what == "summary") {
    summarise(options);
    return 0;
  }
  bool known = false;
  for (const Figure& figure : kFigures) {
    if (figure.device != nullptr || (what != "all" && what != figure.name)) continue;
    known = true;
    if (!catch_interrupts()) run_figure(figure, options, quiet);
  }
  if (!known) {
    throw UsageError("unknown experiment '" + what +
                     "'; expected fig1, fig2, fig3, mimo, all or summary");
  }
  return 0;
}

}  // namespace chainmail
