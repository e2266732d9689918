#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/run_setup.hpp"
#include "model/answer.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/solution.hpp"
#include "report/summary.hpp"
#include "report/trace.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr const char* kAbout =
    "Finds the best feasible state of a problem. A grid of replicas runs sweeps and swaps on a\n"
    "ladder of temperatures and penalties that is found for it; nothing needs to be tuned. Ctrl-C\n"
    "ends the run with the best state so far. The summary goes to standard output.";
constexpr const char* kExamples =
    "  chainmail solve problem.json\n"
    "  chainmail solve problem.json --copies 3 --method 2dpt --report report.html --json -\n"
    "  chainmail solve big.coo --time-limit 60 --checkpoint big.ckpt   # again to resume\n";

struct SolveCommand {
  RunSetup setup;
  std::string method = "auto", swap_sets = name_of(kOften.sets), initial, json, trace, report;
  std::uint64_t sweeps = SolveOptions{}.sweeps, sweeps_per_swap = kOften.sweeps_per_swap;
  std::string trials = "1";
  std::uint64_t solutions = 1;
  std::string solution;

  OptionTable table() {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    PlanOptions& options = setup.options;
    OptionTable table("solve FILE [options]", kAbout, kExamples);
    setup.add_problem_options(table);
    table.group("Run")
        .choice("method", method, {"auto", "2dpt", "jcolumn", "pt"},
                "auto: 2dpt where there are constraints or copies, else pt")
        .count("sweeps,n", sweeps, 1, kNoLimit,
               "sweeps of every replica; models with constraints: 8e8 updates of bits by default, "
               "1e8 when nothing better comes up")
        .count("sweeps-per-swap", sweeps_per_swap, 1, kNoLimit,
               "sweeps between swap rounds; kernels 50, without copies and models 2 by default")
        .choice("swap-sets", swap_sets, {"toggle", "all", "columns"},
                "a round swaps one of the four sets of pairs, all, or along beta and every fourth "
                "time along P; kernels and models all by default")
        .optional_number("penalty", options.penalty,
                         "jcolumn, pt: the one penalty [mean of the ladder]")
        .count("solutions", solutions, 1, 10000, "models: so many distinct solutions, best first")
        .text("trials", trials,
              "independent runs, without it as many as keep a card busy; I/N: the I-th of N alone, "
              "for 'chainmail merge' to gather")
        .number(
            "time-limit", options.time_limit, 0, std::numeric_limits<double>::infinity(),
            "seconds from the start, 0: none; without --sweeps it alone ends a run of one trial")
        .optional_number("target", options.target, "stop at a feasible objective this good")
        .text("initial", initial,
              "start from a solution: result JSON or text, models as --solution writes it")
        .text("checkpoint", options.checkpoint, "save the run here and resume from it");
    table.group("Output")
        .text("json", json, "write the result, - is standard output instead of the summary")
        .text("solution", solution, "models: write the variables, for 'chainmail check'")
        .text("trace", trace, "write energy, g and best against sweeps, as CSV")
        .text("report", report, "write a report with plots, as HTML");
    setup.add_ladder_options(table);
    setup.add_device_options(table);
    return table;
  }

  // After parsing; what was not typed is left to the plan.
  void settle(const OptionTable& table) {
    setup.settle();
    PlanOptions& options = setup.options;
    if (method != "auto") options.method = method_from_name(method);
    if (table.given("sweeps")) options.sweeps = sweeps;
    if (table.given("sweeps-per-swap")) options.sweeps_per_swap = sweeps_per_swap;
    if (table.given("swap-sets")) options.swap_sets = swap_sets_from_name(swap_sets);
    if (table.given("trials")) take_trials(options);
    options.solutions = solutions;
  }

  void take_trials(PlanOptions& options) const {
    constexpr std::uint64_t kMost = 1000000;
    std::uint64_t part = 0, all = 0;
    const char* end = trials.data() + trials.size();
    const auto read = [&](const char* from, std::uint64_t& to) {
      const auto [rest, error] = std::from_chars(from, end, to);
      return error == std::errc() && to >= 1 && to <= kMost ? rest : nullptr;
    };
    const char* rest = read(trials.data(), all);
    const bool split = rest != nullptr && rest != end && *rest == '/';
    if (split) {
      part = all;
      rest = read(rest + 1, all);
    }
    if (rest != end || part > all) {
      throw UsageError("--trials " + trials + ": expected a number up to 1000000, or I/N");
    }
    options.trials = split ? 1 : all;
    options.first_trial = split ? part - 1 : 0;
  }

  int run(const std::string& command_line) {
    const std::atomic<bool>& stop = catch_interrupts();
    try_outputs();
    const Source source = setup.read();
    if (!solution.empty() && !source.model) {
      throw UsageError("--solution needs a constrained model; --json has the spins");
    }
    const auto device = open_device(source, setup.options);
    if (!initial.empty() && source.model) {
      setup.options.initial_values = read_model_solution(initial, source.model->model);
    } else if (!initial.empty()) {
      setup.options.initial = read_solution(initial, source.problem().size());
    }
    const Plan plan = setup.plan_run(source, *device);
    Progress progress(!setup.quiet, "solving");
    const Result result = chainmail::run(plan, *device, stop, [&](const SolveStatus& s) {
      progress.update(s.fraction,
                      progress_text({s.sweeps_done, s.best,
                                     static_cast<double>(s.updates) / (1e9 * s.seconds)}));
    });
    progress.finish();
    write_outputs(result, command_line);
    if (!result.device_fault.empty()) throw DeviceError(result.device_fault);
    if (!result.checkpoint_fault.empty()) throw InputError(result.checkpoint_fault);
    return 0;
  }

  // Before any work: a mistyped folder must not cost an hour's answer.
  void try_outputs() const {
    Outputs outputs({setup.file, setup.ladder_file()});
    const std::string& checkpoint = setup.options.checkpoint;
    outputs.add("json", json);
    outputs.add("solution", solution);
    outputs.add("trace", trace);
    outputs.add("report", report);
    outputs.add("checkpoint", checkpoint);
    if (!checkpoint.empty()) outputs.add("checkpoint", checkpoint + ".schedule");
    outputs.try_all();
    namespace fs = std::filesystem;
    if (!checkpoint.empty() && fs::exists(checkpoint) && !fs::is_regular_file(checkpoint)) {
      throw InputError(checkpoint + ": not a checkpoint: not a regular file");
    }
  }

  void write_outputs(const Result& result, const std::string& command_line) const {
    const auto print = [&](const std::string& text) {
      if (json == "-") return;
      fmt::print("{}", text);
      if (std::fflush(stdout) != 0) {
        throw InputError(std::string("cannot write standard output: ") + std::strerror(errno));
      }
    };
    const auto write = [&](const char* what, const std::string& path, const auto& content) {
      if (path.empty()) return;
      write_file(path, content());
      if (path != "-") print(fmt::format("{:<9} {}\n", what, path));
    };
    do_all({
        [&] { print(to_summary(result)); },
        [&] { write("result", json, [&] { return to_json(result); }); },
        [&] {
          write("solution", solution, [&] { return solution_to_text(result.answers.front()); });
        },
        [&] { write("trace", trace, [&] { return to_csv(result); }); },
        [&] { write("report", report, [&] { return to_html(result, command_line); }); },
    });
  }
};

}  // namespace

int solve_command(const Arguments& arguments) {
  SolveCommand command;
  OptionTable table = command.table();
  if (!table.parse(arguments)) return 0;
  command.settle(table);
  return command.run(command_line("chainmail solve", arguments));
}

}  // namespace chainmail
