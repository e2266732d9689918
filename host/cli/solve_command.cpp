#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/live_page.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/run_setup.hpp"
#include "cli/solve_files.hpp"
#include "model/answer.hpp"
#include "report/competition.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/qoblib.hpp"
#include "report/solution.hpp"
#include "report/summary.hpp"
#include "report/trace.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr const char* kAbout =
    "Finds the best feasible state of a problem. A grid of replicas runs sweeps and swaps on a\n"
    "ladder of temperatures and penalties found for the problem; nothing needs tuning. Ctrl-C\n"
    "ends the run with the best state so far. The summary goes to standard output.";
constexpr const char* kExamples =
    "  chainmail solve problem.json\n"
    "  chainmail solve problem.json --copies 3 --method 2dpt --report report.html --json -\n"
    "  chainmail solve big.coo --time-limit 60 --checkpoint big.ckpt   # again to resume\n"
    "  chainmail solve many/*.json --jsonl results.jsonl\n";

struct SolveCommand {
  RunSetup setup;
  std::string trials, target, initial, json, jsonl, trace, report, solution, proof, qoblib;
  std::vector<std::string> more;  // files
  bool live = false, competition = false;
  std::string live_address = LiveServerOptions{}.address;
  std::uint64_t live_port = 0;
  Grouping grouping;

  OptionTable table() {
    OptionTable table("solve FILE... [options]", kAbout, kExamples);
    setup.add_problem_options(table);
    table.arguments("FILE", more, false);
    table.group("Run");
    for (const OptionInfo& info : option_table()) {
      if (info.group != OptionInfo::run) continue;
      if (info.name == "trials") {
        table.text(
            "trials", trials,
            info.help +
                "; I/N: only the I-th of N, for 'merge' [1; on a card enough to keep it busy]");
      } else if (info.name == "target") {
        table.text("target", target, info.help);  // all its digits count
      } else {
        table.option(info, setup.wanted);
      }
    }
    table.level(OptionInfo::common)
        .file("initial", initial, "start from a solution: result JSON or what --solution wrote");
    setup.add_clamp(table);
    table.group("Output")
        .file("report", report, "write a report with plots, as HTML")
        .file("json", json, "write the result; - is standard output, instead of the summary")
        .file("jsonl", jsonl, "several files: write a result for each, one per line")
        .file("solution", solution, "write the answer's variables, for 'chainmail check'")
        .file("proof", proof,
              "write the proof that the answer is optimal or that none exists, for 'check --proof'")
        .flag("competition", competition,
              "print what judges of competitions and minizinc read, in place of the summary: the "
              "lines and exit codes for opb, wbo, cnf, wcnf or fzn")
        .file("trace", trace, "write energy, g and best against sweeps, as CSV")
        .flag("live", live, "show the run in a browser as it progresses; prints the address")
        .level(OptionInfo::rare)
        .file("qoblib", qoblib, "write a submission to QOBLIB: a folder in this one")
        .text("live-address", live_address, "--live: where to listen; only this machine by default")
        .count("live-port", live_port, 0, 65535, "--live: the port, 0: a free one");
    setup.add_machine_options(table);
    return table;
  }

  // After parsing.
  void settle() {
    setup.settle();
    setup.options.trials.reset();  // a card is kept busy unless the user asks for less
    if (!trials.empty()) take_trials(setup.options);
    // Only the machine has a trace.
    if (!trace.empty() && !setup.options.exact) setup.options.exact = false;
    if (!target.empty()) take_target(setup.options);
    grouping = grouping_from(setup.wanted.group);
    if (!proof.empty() && !setup.clamp.empty()) {
      throw UsageError("--proof and --clamp exclude each other: 'check' reads the whole problem");
    }
  }

  void take_target(PlanOptions& options) const {
    std::size_t length = 0;
    Decimal::Fault fault = Decimal::Fault::none;
    options.target = Decimal::parse(target, length, fault);
    if (!options.target || length != target.size() || !options.target->finite()) {
      throw UsageError("--target: expected a number, not '" + target + "'");
    }
  }

  void take_trials(PlanOptions& options) const {
    constexpr std::uint64_t kMostTrials = 1'000'000;
    std::uint64_t part = 0, all = 0;
    const char* end = trials.data() + trials.size();
    const auto read = [&](const char* from, std::uint64_t& to) {
      const auto [rest, error] = std::from_chars(from, end, to);
      return error == std::errc() && to >= 1 && to <= kMostTrials ? rest : nullptr;
    };
    const char* rest = read(trials.data(), all);
    const bool split = rest != nullptr && rest != end && *rest == '/';
    if (split) {
      part = all;
      rest = read(rest + 1, all);
    }
    if (rest != end || part > all) {
      throw UsageError(
          fmt::format("--trials {}: expected a number up to {}, or I/N", trials, kMostTrials));
    }
    options.trials = split ? 1 : all;
    options.first_trial = split ? part - 1 : 0;
    if (split && all > 1) options.stop_at_optimum = false;  // as several trials in one run
  }

  int run_many(const OptionTable& table) const {
    for (const char* other : {"json", "trace", "report", "solution", "proof", "qoblib", "initial",
                              "clamp", "live", "checkpoint", "competition"}) {
      if (table.given(other)) {
        throw UsageError(fmt::format("--jsonl and --{} exclude each other", other));
      }
    }
    Options options = setup.wanted;
    if (trials.find('/') != std::string::npos) {
      throw UsageError("--jsonl and --trials I/N exclude each other");
    }
    options.trials = setup.options.trials.value_or(1);
    if (setup.options.target) options.target = static_cast<double>(*setup.options.target);
    std::vector<std::string> files = {setup.file};
    files.insert(files.end(), more.begin(), more.end());
    return solve_files(files, setup.source_options(), options, {jsonl, setup.quiet});
  }

  int run(const std::string& command_line) {
    const std::atomic<bool>& stop = catch_interrupts();
    try_outputs();
    const Source source = setup.read();
    if (!qoblib.empty()) expect_qoblib(source);
    std::optional<CompetitionLines> lines;
    if (competition) lines.emplace(source);
    std::optional<LivePage> page;
    if (live) {
      page.emplace(LiveServerOptions{live_address, static_cast<std::uint16_t>(live_port)}, source,
                   interrupt);
      std::string notice = fmt::format("live view: {}\n", page->url());
      if (page->visible_from_outside()) {
        notice +=
            "live view: anyone who has this address, or watches the network, can see and stop the "
            "run\n";
      }
      std::fputs(notice.c_str(), stderr);
    }
    const auto device = open_device(source, setup.options);
    if (!initial.empty() && source.model) {
      setup.options.initial_values = read_model_solution(initial, source.model->model);
    } else if (!initial.empty()) {
      setup.options.initial = read_solution(initial, source.given().size());
    }
    const UserObjective user = source.user();
    const auto tell_better = [&](double f) {
      if (lines) print_at_once(lines->better(user.scale * f + user.shift));
    };
    setup.options.better = tell_better;
    const Plan plan = setup.plan_run(source, *device);
    if (page && !plan.exact) page->begin(plan, *device);
    Progress progress(!setup.quiet, "solving");
    const bool constrained = source.constrained();
    const Result result = chainmail::run(plan, *device, stop, [&](const SolveStatus& s) {
      std::optional<double> best;
      if (s.best) best = user.scale * *s.best + user.shift;
      // A run that is only limited by time has no last sweep.
      const double limit = setup.options.time_limit;
      const double fraction = std::max(s.fraction, limit > 0.0 ? s.seconds / limit : 0.0);
      const double speed = static_cast<double>(s.updates) / (1e9 * s.seconds);
      progress.update(fraction, progress_text({s.sweeps_done, best, speed, constrained}));
      if (page) page->update(s, {fraction, seconds_left(s, fraction)});
      if (s.best) tell_better(*s.best);
    });
    progress.finish();
    if (page) page->finish(html_body(result, command_line, &source, grouping));
    if (lines) print_at_once(lines->verdict(result));
    write_outputs(result, source, command_line);
    if (!result.device_fault.empty()) throw DeviceError(result.device_fault);
    if (!result.checkpoint_fault.empty()) throw InputError(result.checkpoint_fault);
    return lines ? lines->exit_code(result) : exit_code(result);
  }

  static void print_at_once(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    try {
      flush_output();
    } catch (const ReaderGone&) {  // nobody is left to miss it
    }
  }

  double seconds_spent() const {
    const auto spent = std::chrono::steady_clock::now() - setup.options.start;
    return std::chrono::duration<double>(spent).count();
  }

  // By the time limit, or by what is done.
  std::optional<double> seconds_left(const SolveStatus& s, double fraction) const {
    const double limit = setup.options.time_limit;
    if (limit > 0.0) return std::max(0.0, limit - seconds_spent());
    constexpr double kEnough = 0.01;  // of the run, to tell the rest
    if (fraction < kEnough) return {};
    return s.seconds * std::max(0.0, 1.0 - fraction) / fraction;
  }

  static int exit_code(const Result& result) {
    if (!result.infeasible.empty()) return kImpossible;
    if (!result.best.feasible) return kNotFeasible;
    return result.stopped_by == "interrupt" ? kInterrupted : kDone;
  }

  // Of the submission to QOBLIB.
  std::string submission() const {
    return (std::filesystem::path(qoblib) / qoblib_instance(setup.file)).string();
  }

  // Before any work: a mistyped folder must not cost an hour's answer.
  void try_outputs() const {
    Outputs outputs({setup.file, setup.ladder_file()});
    const std::string& checkpoint = setup.options.checkpoint;
    outputs.add("json", json);
    outputs.add("competition", competition ? "-" : "");
    outputs.add("solution", solution);
    outputs.add("trace", trace);
    outputs.add("proof", proof);
    outputs.add("report", report);
    if (!qoblib.empty()) {
      if (setup.file == "-") throw UsageError("--qoblib names a folder after the file: give one");
      std::error_code fault;  // is found by trying
      std::filesystem::create_directories(qoblib, fault);
      if (std::filesystem::exists(submission(), fault)) {
        throw InputError("cannot write " + submission() + ": there is one already");
      }
      outputs.add("qoblib", submission());
    }
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
      if (json != "-" && !competition) print_at_once(text);
    };
    const auto write = [&](const char* what, const std::string& path, const auto& content) {
      if (path.empty()) return;
      write_file(path, content());
      if (path != "-") print(fmt::format("{:<9} {}\n", what, path));
    };
    do_all({
        [&] { print(to_summary(result)); },
        [&] { write("result", json, [&] { return to_json(result); }); },
        [&] { write("solution", solution, [&] { return to_solution(result, solution); }); },
        [&] {
          if (result.proof) {
            write("proof", proof, [&] { return checker::to_json(*result.proof); });
          } else if (!proof.empty()) {
            print("proof     none: this run proved nothing\n");
          }
        },
        [&] { write("trace", trace, [&] { return to_csv(result); }); },
        [&] {
          write("report", report, [&] { return to_html(result, command_line, &source, grouping); });
        },
        [&] {
          if (qoblib.empty()) return;
          if (!result.best.feasible) return print("qoblib    none: there is no feasible answer\n");
          write_folder(submission(),
                       to_qoblib(result, source,
                                 {qoblib_instance(setup.file), command_line, seconds_spent()}));
          print(fmt::format("qoblib    {}\n", submission()));
        },
    });
  }
};

}  // namespace

int solve_command(const Arguments& arguments) {
  SolveCommand command;
  OptionTable table = command.table();
  if (!table.parse(arguments)) return 0;
  command.settle();
  if (!command.jsonl.empty()) return command.run_many(table);
  if (!command.more.empty()) {
    throw UsageError("unexpected argument '" + command.more.front() +
                     "'; several files need --jsonl");
  }
  return command.run(command_line("chainmail solve", arguments));
}

}  // namespace chainmail
