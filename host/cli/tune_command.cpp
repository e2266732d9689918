#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/run_setup.hpp"
#include "schedule/schedule_file.hpp"
#include "support/atomic_file.hpp"

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
  table.group("Output").text("output,o", output, "file to write, - is standard output");
  setup.add_ladder_options(table);
  setup.add_device_options(table);
  if (!table.parse(arguments)) return 0;
  setup.settle(table);

  const Problem problem = setup.read();
  const auto device = setup.open_device(problem);
  const Schedule schedule = setup.find_schedule(setup.embed_problem(problem, *device), *device);
  write_file(output, schedule_to_json(schedule));
  if (output != "-") {
    fmt::print("{} rows (beta {:.4g} to {:.4g}), {} columns (P {:.4g} to {:.4g}) -> {}\n",
               schedule.rows(), schedule.beta.front(), schedule.beta.back(), schedule.columns(),
               schedule.penalty.front(), schedule.penalty.back(), output);
    for (const std::string& note : schedule.notes) fmt::print("note: {}\n", note);
  }
  return 0;
}

}  // namespace chainmail
