#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/run_setup.hpp"
#include "run/samples.hpp"
#include "support/atomic_file.hpp"
#include "support/counted.hpp"

namespace chainmail {

namespace {

constexpr const char* kAbout =
    "Draws samples from the Boltzmann distribution exp(-beta (f + P g)) of a problem, one after "
    "each\n"
    "burst, as CSV: burst, beta, penalty, f, g and the spins of one replica (the coldest row's "
    "last\n"
    "column, or all of the grid with --all). Swaps keep every replica's distribution exact. "
    "Models\n"
    "are sampled with their constraints as they are written, a column for each variable; every\n"
    "assignment of values counts once, so a burst may be passed over.";

std::string spins_text(const std::vector<Spin>& spins) {
  std::string text;
  for (Spin spin : spins) text += spin > 0 ? '+' : '-';
  return text;
}

std::string quoted_field(const std::string& text) {
  // A spreadsheet takes text that begins like this for a formula.
  const bool formula = text.find_first_of("=+-@") == 0;
  if (!formula && text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Columns after f and g: all spins in one, or one for each variable of a model.
std::string header_of(const Source& source) {
  std::string header = "burst,beta,penalty,f,g";
  if (!source.model) return header + ",spins\n";
  for (const ModelVariable& v : source.model->model.variables) header += "," + quoted_field(v.name);
  return header + "\n";
}

}  // namespace

int sample_command(const Arguments& arguments) {
  RunSetup setup;
  SampleOptions options;
  std::string output = "-", swap_sets = "toggle";
  bool all = false;
  OptionTable table("sample FILE [options]", kAbout,
                    "  chainmail generate full-adder -o adder.json\n"
                    "  chainmail sample adder.json --copies 2 --betas 1 --penalties 2,4,6,8 "
                    "--sweeps-per-swap 500\n");
  setup.add_problem_options(table);
  table.group("Run");
  setup.add_clamp(table);
  table.count("samples", options.rounds, 1, UINT64_MAX, "bursts, one sample each")
      .count("warmup", options.warmup_rounds, 0, UINT64_MAX, "bursts before the first sample")
      .count("sweeps-per-swap", options.sweeps_per_swap, 1, UINT64_MAX, "sweeps in a burst")
      .choice("swap-sets", swap_sets, {"toggle", "all", "columns"},
              "which pairs a round swaps: one of the four sets, all, or along beta and every "
              "fourth time along P")
      .flag("all", all, "samples of every replica of the grid, not only the answer replica")
      .file("output,o", output, "file to write, - is standard output");
  setup.add_machine_options(table);
  if (!table.parse(arguments)) return 0;
  setup.settle();

  Outputs outputs({setup.file, setup.ladder_file()});
  outputs.add("output", output);
  outputs.try_all();

  Source source = setup.read();
  if (source.model) source.model->purpose = FormsFor::sampling;
  const auto device = open_device(source, setup.options);
  const Plan plan = setup.plan_ladder(source, *device);
  options.swap_sets = swap_sets_from_name(swap_sets);
  options.seed = setup.options.seed;
  std::string csv = header_of(source);
  Progress progress(!setup.quiet, "sampling");
  draw_samples(plan, *device, options, all, catch_interrupts(), [&](const DrawnSample& drawn) {
    csv += fmt::format("{},{},{},{},{}", drawn.burst, plan.ladder.beta[drawn.row],
                       plan.ladder.penalty[drawn.column], drawn.f, drawn.g);
    for (std::int64_t value : drawn.values) csv += fmt::format(",{}", value);
    csv += source.model ? "\n" : "," + spins_text(drawn.spins) + "\n";
    progress.update(static_cast<double>(drawn.number + 1) / static_cast<double>(options.rounds),
                    counted(drawn.number + 1, "sample"));
  });
  progress.finish();
  write_file(output, csv);
  return catch_interrupts() ? kInterrupted : kDone;
}

}  // namespace chainmail
