#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/run_setup.hpp"
#include "model/answer.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/solution.hpp"
#include "report/summary.hpp"
#include "report/trace.hpp"
#include "schedule/constrained_pilot.hpp"
#include "schedule/schedule_file.hpp"
#include "solve/solver.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr const char* kAbout =
    "Finds the best feasible state of a problem. A pilot run finds the ladder of temperatures and\n"
    "penalties, then a grid of replicas runs sweeps and swaps; nothing needs to be tuned. Ctrl-C\n"
    "ends the run with the best state so far. The summary goes to standard output.";
constexpr const char* kExamples =
    "  chainmail solve problem.json\n"
    "  chainmail solve problem.json --copies 3 --method 2dpt --report report.html --json -\n"
    "  chainmail solve big.coo --time-limit 60 --checkpoint big.ckpt   # again to resume\n";

struct SolveCommand {
  RunSetup setup;
  SolveOptions options;
  std::string method = "auto", swap_sets = name_of(kOften.sets), initial, json, trace, report;
  std::uint64_t trials = 1, solutions = 1;
  std::string solution;
  std::optional<double> penalty;
  bool given_sweeps = false, given_cadence = false, given_sets = false;

  OptionTable table() {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    OptionTable table("solve FILE [options]", kAbout, kExamples);
    setup.add_problem_options(table);
    table.group("Run")
        .choice("method", method, {"auto", "2dpt", "jcolumn", "pt"},
                "auto: 2dpt where there are constraints or copies, else pt")
        .count("sweeps,n", options.sweeps, 1, kNoLimit, "sweeps of every replica")
        .count("sweeps-per-swap", options.sweeps_per_swap, 1, kNoLimit,
               "sweeps between swap rounds; kernels 50, models 10 by default")
        .choice("swap-sets", swap_sets, {"toggle", "all", "columns"},
                "a round swaps one of the four sets of pairs, all, or along beta and every fourth "
                "time along P; kernels and models all by default")
        .optional_number("penalty", penalty, "jcolumn, pt: the one penalty [mean of the ladder]")
        .count("solutions", solutions, 1, 10000, "models: so many distinct solutions, best first")
        .count("trials", trials, 1, 1000000, "independent runs")
        .number("time-limit", options.time_limit, 0, std::numeric_limits<double>::infinity(),
                "seconds, 0: none")
        .optional_number("target", options.target, "stop at a feasible energy this low")
        .text("initial", initial, "start from a solution: result JSON or text")
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

  int run(const std::string& command_line) {
    const Problem problem = setup.read();
    const auto device = setup.open_device(problem);
    const Embedding plain = setup.embed_problem(problem, *device);
    const bool constrained = problem.constraint.has_value() || plain.copies > 1;
    options.method = method == "auto" ? (constrained ? Method::two_dimensional : Method::pt)
                                      : method_from_name(method);
    options.swap_sets = swap_sets_from_name(swap_sets);
    choose_cadence(*device);
    options.seed = setup.seed;
    options.trials = trials;
    if (solutions > 1 && !setup.source) throw UsageError("--solutions needs a constrained model");
    if (solutions > 1 && !options.checkpoint.empty()) {
      throw UsageError("--solutions and --checkpoint exclude each other");
    }
    if (!solution.empty() && !setup.source) {
      throw UsageError("--solution needs a constrained model; --json has the spins");
    }
    // Bits can say the same in several ways, so more states are kept than solutions shown.
    options.keep = solutions > 1 ? 4 * solutions : 1;
    if (!initial.empty()) options.initial = read_solution(initial, problem.size());

    const auto start = std::chrono::steady_clock::now();
    const Schedule ladder = columns_for(options.method, find_ladder(plain, *device), penalty);
    const Embedding embedding = with_multipliers(plain, ladder.multipliers);
    const double tune_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    if (setup.source) {
      use_model_defaults(problem, embedding, ladder);
      // Where constraints were rounded, g = 0 is not the user's word yet.
      options.accepts = [&source = *setup.source](std::span<const Spin> spins) {
        return evaluate(source.model, source.compiled.decode(spins)).feasible();
      };
    }
    Progress progress(!setup.quiet, "solving");
    Result result = solve(
        problem, embedding, ladder, *device, options, catch_interrupts(),
        [&](const SolveStatus& s) {
          progress.update(s.fraction,
                          progress_text({s.sweeps_done, s.best,
                                         static_cast<double>(s.updates) / (1e9 * s.seconds)}));
        });
    progress.finish();
    result.tune_seconds = tune_seconds;
    result.moves = setup.moves;
    result.placement = setup.placement_name(*device);
    if (setup.source) {
      answer_in_users_terms(result, setup.source->model, setup.source->compiled, solutions);
    }
    write_outputs(result, command_line);
    if (!result.device_fault.empty()) throw DeviceError(result.device_fault);
    return 0;
  }

  // A kernel's host needs as long for a swap round as the kernel for some fifty sweeps.
  void choose_cadence(const Device& device) {
    const bool rarely = setup.literal || device.topology() != nullptr;
    if (!given_cadence && rarely) options.sweeps_per_swap = kPaper.sweeps_per_swap;
    // A kernel's rounds are rare already; a model's columns are few and far apart.
    const bool all = device.topology() != nullptr || setup.source;
    if (!given_sets && all) options.swap_sets = SwapSets::all;
    if (!given_sets && setup.literal) options.swap_sets = kPaper.sets;
    options.hold_feasible = options.method == Method::two_dimensional && !setup.literal &&
                            setup.schedule_file.empty() && setup.betas.empty();
  }

  // Constraints want frequent swaps in all directions, and a run that ends within about a minute
  // on two cores whatever the size; both measured on quadratic knapsacks.
  void use_model_defaults(const Problem& problem, const Embedding& embedding,
                          const Schedule& ladder) {
    const bool aimless = setup.source->model.objective.linear.empty() &&
                         setup.source->model.objective.products.empty();
    // Without an objective the first feasible state is as good as any.
    if (aimless && solutions == 1 && !options.target) options.target = problem.objective.offset;
    constexpr double kUpdates = 1e9;
    constexpr double kLeastSweeps = 2000, kMostSweeps = 100000;
    if (!given_sweeps) {
      const auto updates_of_sweep =
          static_cast<double>(embedding.pbits() * ladder.rows() * ladder.columns());
      options.sweeps = static_cast<std::uint64_t>(
          std::clamp(kUpdates / updates_of_sweep, kLeastSweeps, kMostSweeps));
    }
    if (!given_cadence && !setup.literal) options.sweeps_per_swap = 10;
  }

  // A resumed run takes its ladder from beside the checkpoint: tuning again would only cost time.
  Schedule find_ladder(const Embedding& embedding, const Device& device) const {
    const std::string saved = options.checkpoint + ".schedule";
    const bool by_pilot = setup.schedule_file.empty() && setup.betas.empty();
    if (options.checkpoint.empty() || !by_pilot) return setup.find_schedule(embedding, device);
    if (std::filesystem::exists(options.checkpoint) && std::filesystem::exists(saved)) {
      return read_schedule(saved);
    }
    Schedule schedule = setup.find_schedule(embedding, device);
    write_file(saved, schedule_to_json(schedule));
    return schedule;
  }

  void write_outputs(const Result& result, const std::string& command_line) const {
    if (json != "-") fmt::print("{}", to_summary(result));
    if (!json.empty()) write_file(json, to_json(result));
    if (!solution.empty()) write_file(solution, solution_to_text(result.answers.front()));
    if (!trace.empty()) write_file(trace, to_csv(result));
    if (!report.empty()) write_file(report, to_html(result, command_line));
    if (json == "-") return;
    for (const auto& [what, path] : {std::pair{"result", json}, std::pair{"solution", solution},
                                     std::pair{"trace", trace}, std::pair{"report", report}}) {
      if (!path.empty()) fmt::print("{:<9} {}\n", what, path);
    }
  }
};

}  // namespace

int solve_command(const Arguments& arguments) {
  SolveCommand command;
  OptionTable table = command.table();
  if (!table.parse(arguments)) return 0;
  command.setup.settle(table);
  command.given_sweeps = table.given("sweeps");
  command.given_cadence = table.given("sweeps-per-swap");
  command.given_sets = table.given("swap-sets");
  return command.run(command_line("chainmail solve", arguments));
}

}  // namespace chainmail
