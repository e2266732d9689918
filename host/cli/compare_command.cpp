// Runs one problem in several ways, one after another: the default, the CPU's arithmetics, other
// ladders, kernels, and other programs where they are installed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/run_setup.hpp"
#include "report/comparison.hpp"
#include "report/digest.hpp"
#include "report/format.hpp"
#include "run/peer.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

struct Way {
  const char* name;
  Arguments options;
};

const std::vector<Way> kSpinWays = {
    {"default", {}},
    {"8-bit tables", {"--precision", "int8"}},
    {"cached fields", {"--precision", "cached"}},
    {"replicas in lanes", {"--precision", "lanes"}},
    {"floating point", {"--precision", "float"}},
    {"64 temperatures", {"--rows", "64"}},
    {"four ladders", {"--columns", "4"}},
    {"three copies, 2D-PT", {"--copies", "3"}},
    {"flip kernel, emulated", {"--device", "hls:flips"}},
    {"row kernel, emulated", {"--device", "hls:rows"}},
};
const std::vector<Way> kModelWays = {
    {"default", {}},
    {"no exact methods", {"--exact", "off"}},
    {"one penalty", {"--exact", "off", "--columns", "1"}},
    {"eight penalties", {"--exact", "off", "--columns", "8"}},
    {"squares and slack", {"--exact", "off", "--plain-penalty"}},
    {"row kernel, emulated", {"--device", "hls:rows"}},
};

// Without what could be used instead.
std::string reason_of(const std::exception& e) {
  const std::string text = e.what();
  return text.substr(0, text.find(';'));
}

struct CompareCommand {
  std::vector<std::string> files;
  std::string output = "compare.html", format = "detect", colors;
  double time_limit = 5.0;
  std::uint64_t seed = 1, threads = 1;
  bool brief = false, quiet = false;

  Arguments shared() const {
    Arguments words = {"--format",     format,
                       "--seed",       std::to_string(seed),
                       "--threads",    std::to_string(threads),
                       "--time-limit", fmt::format("{}", time_limit)};
    if (!colors.empty()) words.insert(words.end(), {"--colors", colors});
    return words;
  }

  RunSetup setup_of(const std::string& file, const Arguments& options) const {
    RunSetup setup;
    OptionTable table("solve", "");
    setup.add_problem_options(table);
    setup.add_options(table, OptionInfo::run);
    setup.add_machine_options(table);
    Arguments words = shared();
    words.insert(words.begin(), file);
    words.insert(words.end(), options.begin(), options.end());
    table.parse(words);
    setup.settle();
    setup.quiet = true;
    return setup;
  }

  Contestant run(const std::string& file, const Way& way, const std::atomic<bool>& stop) const {
    Contestant one{way.name, fmt::format("{}", fmt::join(way.options, " ")), {}, "", {}, 0.0};
    try {
      const RunSetup setup = setup_of(file, way.options);
      const Source source = setup.read();
      const auto device = open_device(source, setup.options);
      const Plan plan = setup.plan_run(source, *device);
      const Result r = chainmail::run(plan, *device, stop, [](const SolveStatus&) {});
      one.verdict = verdict_text(r);
      one.seconds = r.tune_seconds + r.seconds;
      if (r.best.feasible) one.objective = r.objective;
      for (const auto& [seconds, f] : r.course) {
        one.course.emplace_back(seconds, in_users_terms(f, r));
      }
    } catch (const UsageError& e) {
      one.verdict = reason_of(e);
    } catch (const InputError& e) {
      one.verdict = reason_of(e);
    }
    return one;
  }

  Contestant run(const std::string& peer, const ConstrainedModel& model,
                 const std::atomic<bool>& stop) const {
    const PeerRun r = run_peer(peer, model, time_limit, stop);
    Contestant one{peer, "", {}, r.refused, r.course, r.seconds};
    if (r.answer && r.answer->feasible) one.objective = r.answer->objective;
    if (r.answer) {
      one.verdict = !r.answer->feasible ? "its answer violates a constraint"
                    : r.says_optimal    ? "says optimal"
                                        : "feasible";
    }
    return one;
  }

  Comparison compare(const std::string& file, const std::atomic<bool>& stop) const {
    const RunSetup setup = setup_of(file, {});
    const Source source = setup.read();
    Comparison comparison;
    comparison.problem = std::filesystem::path(file).filename().string();
    const UserObjective user = source.user();
    comparison.objective = user.name;
    comparison.maximise = user.scale < 0.0;
    comparison.size = source.model
                          ? counted(source.model->model.variables.size(), "variable") + ", " +
                                counted(source.model->model.constraints.size(), "constraint")
                          : counted(source.problem().size(), "spin");
    std::vector<Way> ways = source.model ? kModelWays : kSpinWays;
    if (brief) ways.resize(1);
    std::vector<std::string> others;
    if (source.model && peers_take(source.model->model)) others = installed_peers();
    Progress progress(!quiet, "comparing");
    const double all = static_cast<double>(ways.size() + others.size());
    const auto announce = [&](const std::string& name) {
      progress.update(static_cast<double>(comparison.contestants.size()) / all,
                      comparison.problem + ": " + name);
    };
    for (const Way& way : ways) {
      if (stop) break;
      announce(way.name);
      comparison.contestants.push_back(run(file, way, stop));
    }
    for (const std::string& peer : others) {
      if (stop) break;
      announce(peer);
      comparison.contestants.push_back(run(peer, source.model->model, stop));
    }
    return comparison;
  }
};

}  // namespace

int compare_command(const Arguments& arguments) {
  CompareCommand command;
  OptionTable table(
      "compare FILE... [options]",
      "Solves each file in several ways, one after another and for the same time: by default\n"
      "options, with each arithmetic of the CPU, on other ladders, on emulated kernels, and, for\n"
      "linear models, by cbc, glpsol and highs where they are installed. Prints a table and\n"
      "writes one page with a curve for each way. Ctrl-C ends it with what is there.",
      "  chainmail compare knapsack.lp --time-limit 10\n"
      "  chainmail compare G1.rudy G14.rudy -o gset.html\n");
  table.arguments("FILE", command.files);
  table.group("Comparison")
      .number("time-limit", command.time_limit, 0.1, 1e6, "seconds for each way")
      .count("seed", command.seed, 0, std::numeric_limits<std::uint64_t>::max(),
             "the same for every way")
      .count("threads", command.threads, 0, 1024, "CPU threads; other programs use one")
      .text("format", command.format, "file format, as for 'solve'")
      .text("colors", command.colors, "col: number of colours for a graph")
      .flag("brief", command.brief, "of our own ways the default alone")
      .file("report,o", command.output, "the page to write")
      .flag("quiet,q", command.quiet, "no progress on the terminal");
  if (!table.parse(arguments)) return 0;
  Outputs outputs(command.files);
  outputs.add("report", command.output);
  outputs.try_all();
  const std::atomic<bool>& stop = catch_interrupts();
  std::vector<Comparison> comparisons;
  for (const std::string& file : command.files) {
    if (stop) break;
    comparisons.push_back(command.compare(file, stop));
    std::fputs(to_text(comparisons.back()).c_str(), stdout);
  }
  write_file(command.output, to_html(comparisons, command_line("chainmail compare", arguments)));
  fmt::print("report    {}\n", command.output);
  return 0;
}

}  // namespace chainmail
