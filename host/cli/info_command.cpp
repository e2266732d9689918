#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/run_setup.hpp"
#include "problem/files.hpp"

namespace chainmail {

int info_command(const Arguments& arguments) {
  RunSetup setup;
  std::string convert;
  OptionTable table("info FILE [options]",
                    "Shows what a problem is and what its embedding with --copies looks like: "
                    "p-bits, colours and fan-in.",
                    "  chainmail info problem.json --copies 3 --placement alt\n"
                    "  chainmail info G1.rudy --convert problem.json\n");
  setup.add_problem_options(table);
  table.group("Output").text("convert", convert, "also write the problem, as .json or .coo");
  if (!table.parse(arguments)) return 0;

  const Problem problem = setup.read();
  fmt::print("problem    {}\nspins      {}\ncouplings  {}\n",
             problem.name.empty() ? setup.file : problem.name, problem.size(),
             problem.objective.couplings.size());
  if (problem.constraint)
    fmt::print("constraint {} couplings\n", problem.constraint->couplings.size());
  if (problem.known_optimum) fmt::print("optimum    {:.10g} (energy)\n", *problem.known_optimum);
  const auto device = setup.open_device(problem);
  const EmbeddingStatistics stats = statistics(setup.embed_problem(problem, *device));
  fmt::print("embedding  {} copies, placement {}: {} p-bits, {} couplings, {} links, {} colours\n",
             setup.copies, setup.placement_name(*device), stats.pbits, stats.couplings, stats.links,
             stats.colours);
  for (const auto& [fan_in, count] : stats.fan_in) {
    fmt::print("  fan-in {:>5}: {} p-bits\n", fan_in, count);
  }
  if (!convert.empty()) write_problem(convert, problem);
  return 0;
}

}  // namespace chainmail
