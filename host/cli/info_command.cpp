#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/commands.hpp"
#include "cli/run_setup.hpp"
#include "support/counted.hpp"
#include "support/error.hpp"
#include "support/printable.hpp"

namespace chainmail {

namespace {

// What the CPU runs.
void show_forms(const ModelSource& source) {
  const FormModel& forms = source.forms().model;
  fmt::print("variables  {}\nconstraints {}\n", source.model.variables.size(),
             source.model.constraints.size() + source.model.sets.size());
  fmt::print("as written {}, {}, {} with {}, {}\n", counted(forms.bits, "bit"),
             counted(forms.groups.size(), "group"), counted(forms.forms.size(), "form"),
             counted(forms.forms.items.size(), "term"),
             counted(forms.clashes.items.size() / 2, "clash", "clashes"));
  for (const std::string& note : source.forms().notes) {
    fmt::print("note       {}\n", printable(note));
  }
  if (!source.forms().infeasible.empty()) {
    fmt::print("note       no solution exists: {}\n", printable(source.forms().infeasible));
  }
}

// With slack and squares: how many constraints of each kind, and what became of them.
void show_squares(const ModelSource& source) {
  struct Group {
    std::size_t count = 0, slack = 0;
    double least = kUnbounded, most = 0.0;
  };
  std::map<std::string, Group> groups;
  const SquaredModel& squares = source.squares();
  for (const SquaredForm& c : squares.constraints) {
    Group& group = groups[c.kind];
    ++group.count;
    group.slack += c.slack_bits;
    group.least = std::min(group.least, c.weight);
    group.most = std::max(group.most, c.weight);
  }
  for (const auto& [kind, group] : groups) {
    fmt::print("  {:<12} {}: factor in g {:.4g} to {:.4g}, {} slack bits\n", kind, group.count,
               group.least, group.most, group.slack);
  }
  if (const std::size_t clashes = squares.forms.model.clashes.items.size() / 2; clashes > 0) {
    fmt::print("  {:<12} {}: factor in g 1\n", "exclusion", clashes);
  }
  for (const std::string& note : squares.notes) fmt::print("note       {}\n", printable(note));
}

}  // namespace

int info_command(const Arguments& arguments) {
  RunSetup setup;
  OptionTable table("info FILE [options]",
                    "Shows what a problem is and what its embedding with --copies looks like: "
                    "p-bits, colours and fan-in.",
                    "  chainmail info problem.json --copies 3 --placement alt\n");
  setup.add_problem_options(table);
  table.group("Embedding");
  setup.add_options(table, OptionInfo::embedding);
  if (!table.parse(arguments)) return 0;
  setup.settle();
  const Source source = setup.read();
  for (const std::string& note : source.notes) fmt::print("note       {}\n", printable(note));
  if (source.model && source.model->model.constrained()) show_forms(*source.model);
  const Problem* found = nullptr;
  try {
    found = &source.problem();
  } catch (const InputError& refusal) {
    // Large models have no squared form, and need none.
    if (!source.model) throw;
    fmt::print("note       no squared form: {}\n", printable(refusal.what()));
    return 0;
  }
  const Problem& problem = *found;
  fmt::print("problem    {}\nspins      {}\ncouplings  {}\n",
             printable(problem.name.empty() ? setup.file : problem.name), problem.size(),
             problem.objective.couplings.size());
  if (problem.constraint)
    fmt::print("constraint {} couplings\n", problem.constraint->couplings.size());
  if (problem.known_optimum) fmt::print("optimum    {:.10g} (energy)\n", *problem.known_optimum);
  const auto device = open_device(source, setup.options);
  Embedding embedding = embed_on(*device, source, setup.options);
  if (embedding.model.colour.empty()) embedding.model.colour = colour_graph(embedding.model);
  const EmbeddingStatistics stats = statistics(embedding);
  fmt::print("embedding  {}, placement {}: {}, {}, {}, {}\n",
             counted(setup.options.copies, "copy", "copies"),
             name_of(placement_on(*device, setup.options)), counted(stats.pbits, "p-bit"),
             counted(stats.couplings, "coupling"), counted(stats.links, "link"),
             counted(stats.colours, "colour"));
  for (const auto& [fan_in, count] : stats.fan_in) {
    fmt::print("  fan-in {:>5}: {}\n", fan_in, counted(count, "p-bit"));
  }
  if (source.model) show_squares(*source.model);
  return 0;
}

}  // namespace chainmail
