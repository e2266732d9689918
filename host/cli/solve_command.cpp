#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/live_page.hpp"
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
  std::string method = "auto", swap_sets = "auto", initial, json, trace, report, solution;
  std::string trials;
  std::uint64_t solutions = 1;
  bool no_stop = false, live = false;
  std::string live_address = LiveServerOptions{}.address;
  std::uint64_t live_port = 0;

  OptionTable table() {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    PlanOptions& options = setup.options;
    OptionTable table("solve FILE [options]", kAbout, kExamples);
    setup.add_problem_options(table);
    table.group("Run")
        .choice("method", method, {"auto", "2dpt", "jcolumn", "pt"},
                "auto: 2dpt where there are constraints or copies, else pt")
        .optional_count("sweeps", options.sweeps, 1, kNoLimit,
                        "sweeps of every replica [100000 with copies; else 2e9 updates of spins, "
                        "2000 to 100000 sweeps; with constraints 8e8 of bits, 1e8 when nothing "
                        "better comes up]")
        .number(
            "time-limit", options.time_limit, option_ranges::positive,
            "seconds from the start, 0: none; without --sweeps it alone ends a run of one trial")
        .optional_number("target", options.target, "stop at a feasible objective this good")
        .flag("no-stop", no_stop, "go on after the known optimum was found, for statistics")
        .text("trials", trials,
              "independent runs, each to its end; I/N: the I-th of N alone, for 'chainmail merge' "
              "[1, on a card as many as keep it busy]")
        .count("solutions", solutions, option_ranges::solutions,
               "so many distinct solutions, best first")
        .file("initial", initial, "start from a solution: result JSON or what --solution wrote")
        .file("checkpoint", options.checkpoint, "save the run here and resume from it")
        .optional_count("sweeps-per-swap", options.sweeps_per_swap, 1, kNoLimit,
                        "sweeps between swap rounds [with copies 5, kernels 50, else 2]")
        .choice("swap-sets", swap_sets, {"auto", "toggle", "all", "columns"},
                "a round swaps one of the four sets of pairs, all, or along beta and every fourth "
                "time along P; auto: columns with copies on the CPU, else all")
        .optional_number("penalty", options.penalty,
                         "jcolumn, pt: the one penalty [mean of the ladder]");
    table.group("Output")
        .file("json", json, "write the result, - is standard output instead of the summary")
        .file("solution", solution, "write the answer's variables, for 'chainmail check'")
        .file("trace", trace, "write energy, g and best against sweeps, as CSV")
        .file("report", report, "write a report with plots, as HTML")
        .flag("live", live, "show the run in a browser while it goes on; prints the address")
        .text("live-address", live_address, "--live: where to listen; only this machine by default")
        .count("live-port", live_port, 0, 65535, "--live: the port, 0: a free one");
    setup.add_ladder_options(table);
    setup.add_device_options(table);
    return table;
  }

  // After parsing.
  void settle() {
    setup.settle();
    PlanOptions& options = setup.options;
    if (method != "auto") options.method = method_from_name(method);
    if (swap_sets != "auto") options.swap_sets = swap_sets_from_name(swap_sets);
    options.stop_at_optimum = !no_stop;
    if (!trials.empty()) take_trials(options);
    options.solutions = solutions;
  }

  void take_trials(PlanOptions& options) const {
    std::uint64_t part = 0, all = 0;
    const char* end = trials.data() + trials.size();
    const auto read = [&](const char* from, std::uint64_t& to) {
      const auto [rest, error] = std::from_chars(from, end, to);
      return error == std::errc() && option_ranges::trials.holds(to) ? rest : nullptr;
    };
    const char* rest = read(trials.data(), all);
    const bool split = rest != nullptr && rest != end && *rest == '/';
    if (split) {
      part = all;
      rest = read(rest + 1, all);
    }
    if (rest != end || part > all) {
      throw UsageError(fmt::format("--trials {}: expected a number up to {}, or I/N", trials,
                                   option_ranges::trials.high));
    }
    options.trials = split ? 1 : all;
    options.first_trial = split ? part - 1 : 0;
    if (split && all > 1) options.stop_at_optimum = false;  // as several trials in one run
  }

  int run(const std::string& command_line) {
    const std::atomic<bool>& stop = catch_interrupts();
    try_outputs();
    const Source source = setup.read();
    std::optional<LivePage> page;
    if (live) {
      page.emplace(LiveServerOptions{live_address, static_cast<std::uint16_t>(live_port)}, source);
      fmt::print(stderr, "live view: {}\n", page->url());
    }
    const auto device = open_device(source, setup.options);
    if (!initial.empty() && source.model) {
      setup.options.initial_values = read_model_solution(initial, source.model->model);
    } else if (!initial.empty()) {
      setup.options.initial = read_solution(initial, source.problem().size());
    }
    const Plan plan = setup.plan_run(source, *device);
    Progress progress(!setup.quiet, "solving");
    const UserObjective user = source.user();
    const bool constrained = source.constrained();
    const Result result = chainmail::run(plan, *device, stop, [&](const SolveStatus& s) {
      std::optional<double> best;
      if (s.best) best = user.scale * *s.best + user.shift;
      // A run that only time ends has no last sweep.
      const double limit = setup.options.time_limit;
      const double fraction = std::max(s.fraction, limit > 0.0 ? s.seconds / limit : 0.0);
      const double speed = static_cast<double>(s.updates) / (1e9 * s.seconds);
      progress.update(fraction, progress_text({s.sweeps_done, best, speed, constrained}));
      if (page) page->update(s, fraction, best);
    });
    progress.finish();
    if (page) page->finish(html_body(result, command_line, &source));
    write_outputs(result, source, command_line);
    if (!result.device_fault.empty()) throw DeviceError(result.device_fault);
    if (!result.checkpoint_fault.empty()) throw InputError(result.checkpoint_fault);
    return exit_code(result);
  }

  static int exit_code(const Result& result) {
    if (!result.infeasible.empty()) return kImpossible;
    if (!result.best.feasible) return kNotFeasible;
    return result.stopped_by == "interrupt" ? kInterrupted : kDone;
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

  void write_outputs(const Result& result, const Source& source,
                     const std::string& command_line) const {
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
        [&] { write("solution", solution, [&] { return to_solution(result); }); },
        [&] { write("trace", trace, [&] { return to_csv(result); }); },
        [&] { write("report", report, [&] { return to_html(result, command_line, &source); }); },
    });
  }
};

}  // namespace

int solve_command(const Arguments& arguments) {
  SolveCommand command;
  OptionTable table = command.table();
  if (!table.parse(arguments)) return 0;
  command.settle();
  return command.run(command_line("chainmail solve", arguments));
}

}  // namespace chainmail
