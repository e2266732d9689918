#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/run_setup.hpp"
#include "ladder/form_sampler.hpp"
#include "ladder/sampler.hpp"
#include "support/atomic_file.hpp"

namespace chainmail {

namespace {

constexpr const char* kAbout =
    "Draws samples from the Boltzmann distribution exp(-beta (f + P g)) of a problem, one after "
    "each\n"
    "burst, as CSV: burst, beta, penalty, f, g and the spins of one replica (the coldest row's "
    "last\n"
    "column, or all of the grid with --all). Swaps keep every replica's distribution exact. "
    "Models\n"
    "are sampled with their constraints as they are written, a column for each variable.";

std::string spins_text(const std::vector<Spin>& spins) {
  std::string text;
  for (Spin spin : spins) text += spin > 0 ? '+' : '-';
  return text;
}

std::string quoted_field(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// A column for each variable.
std::string samples_of_forms(const Plan& plan, const SampleOptions& options, bool all,
                             bool show_progress) {
  const ModelSource& source = *plan.source->model;
  const Ladder& ladder = plan.ladder;
  std::string csv = "burst,beta,penalty,f,g";
  for (const ModelVariable& v : source.model.variables) csv += "," + quoted_field(v.name);
  csv += "\n";
  Progress progress(show_progress, "sampling");
  FormMembers members = members_of(*plan.forms);
  sample_forms(
      source.forms().model, ladder, members, options, catch_interrupts(),
      [&](const FormSampleRound& round) {
        const std::size_t columns = ladder.columns(), cells = round.grid.replicas();
        for (std::size_t cell = all ? 0 : cells - 1; cell < cells; ++cell) {
          const std::size_t replica = round.grid.replica_at(cell / columns, cell % columns);
          csv += fmt::format("{},{},{},{},{}", round.number, ladder.beta[cell / columns],
                             ladder.penalty[cell % columns], round.replicas.f(replica),
                             round.replicas.g(replica));
          for (std::int64_t value : source.forms().decode(round.replicas.bits(replica))) {
            csv += fmt::format(",{}", value);
          }
          csv += "\n";
        }
        progress.update(static_cast<double>(round.number) / static_cast<double>(options.rounds),
                        fmt::format("{} samples", round.number));
      });
  progress.finish();
  return csv;
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
  table.group("Run")
      .count("samples", options.rounds, 1, UINT64_MAX, "bursts, one sample each")
      .count("warmup", options.warmup_rounds, 0, UINT64_MAX, "bursts before the first sample")
      .count("sweeps-per-swap", options.sweeps_per_swap, 1, UINT64_MAX, "sweeps in a burst")
      .choice("swap-sets", swap_sets, {"toggle", "all", "columns"},
              "a round swaps one of the four sets of pairs, all, or along beta and every fourth "
              "time along P")
      .flag("all", all, "samples of every replica of the grid, not only the answer replica")
      .file("output,o", output, "file to write, - is standard output");
  setup.add_ladder_options(table);
  setup.add_device_options(table);
  if (!table.parse(arguments)) return 0;
  setup.settle();

  Outputs outputs({setup.file, setup.ladder_file()});
  outputs.add("output", output);
  outputs.try_all();

  const Source source = setup.read();
  const auto device = open_device(source, setup.options);
  const Plan plan = setup.plan_ladder(source, *device);
  const Ladder& ladder = plan.ladder;
  options.swap_sets = swap_sets_from_name(swap_sets);
  options.seed = setup.options.seed;
  const auto ended = [] { return catch_interrupts() ? kInterrupted : kDone; };
  if (plan.forms) {
    if (device->topology() != nullptr) {
      throw UsageError("--device " + setup.options.device.name +
                       ": models with constraints are sampled on the CPU only");
    }
    write_file(output, samples_of_forms(plan, options, all, !setup.quiet));
    return ended();
  }
  const Embedding& embedding = plan.embedding;
  std::string csv = "burst,beta,penalty,f,g,spins\n";
  Progress progress(!setup.quiet, "sampling");
  sample(embedding, ladder, *device, options, catch_interrupts(), [&](const SampleRound& round) {
    const std::size_t columns = ladder.columns();
    for (std::size_t cell = all ? 0 : round.grid.replicas() - 1; cell < round.grid.replicas();
         ++cell) {
      const std::size_t replica = round.grid.replica_at(cell / columns, cell % columns);
      const std::vector<Spin> spins = round.device.read_spins(0, replica);
      csv +=
          fmt::format("{},{},{},{},{},{}\n", round.number, ladder.beta[cell / columns],
                      ladder.penalty[cell % columns], embedding.model.f(spins),
                      embedding.model.g(spins), spins_text(decode_strict(embedding, spins).spins));
    }
    progress.update(static_cast<double>(round.number) / static_cast<double>(options.rounds),
                    fmt::format("{} samples", round.number));
  });
  progress.finish();
  write_file(output, csv);
  return ended();
}

}  // namespace chainmail
