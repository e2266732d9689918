#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/run_setup.hpp"
#include "ladder/ladder_file.hpp"
#include "support/atomic_file.hpp"
#include "support/counted.hpp"

namespace chainmail {

int tune_command(const Arguments& arguments) {
  RunSetup setup;
  std::string output = "-";
  OptionTable table(
      "tune FILE [-o schedule.json] [options]",
      "Finds the ladder for a problem by a pilot run: inverse temperatures (rows) and "
      "penalties (columns)\nspaced so that neighbours swap about half the time. "
      "'solve --schedule' uses it.",
      "  chainmail tune problem.json --copies 3 -o schedule.json\n"
      "  chainmail solve problem.json --copies 3 --schedule schedule.json\n");
  setup.add_problem_options(table);
  setup.add_clamp(table);
  table.group("Output").file("output,o", output, "file to write, - is standard output");
  setup.add_machine_options(table);
  if (!table.parse(arguments)) return 0;
  setup.settle();

  Outputs outputs({setup.file, setup.ladder_file()});
  outputs.add("output", output);
  outputs.try_all();

  const Source source = setup.read();
  const auto device = open_device(source, setup.options);
  const Plan plan = setup.plan_ladder(source, *device);
  const Ladder& ladder = plan.ladder;
  write_file(output, ladder_to_json(ladder));
  if (output != "-") {
    fmt::print("{} (beta {:.4g} to {:.4g}), {} (P {:.4g} to {:.4g}) -> {}\n",
               counted(ladder.rows(), "row"), ladder.beta.front(), ladder.beta.back(),
               counted(ladder.columns(), "column"), ladder.penalty.front(), ladder.penalty.back(),
               output);
    for (const std::string& note : ladder.notes) fmt::print("note: {}\n", note);
  }
  return 0;
}

}  // namespace chainmail
